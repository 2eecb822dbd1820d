// search.h: trees and hash tables of pointers (the table of the whole process: hidden_state.cc). The trees are not balanced, so that depths, and which nodes are leaves,
// are not those of the C library; the order of keys is.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <search.h>

namespace {

using Compare = int (*)(const void*, const void*);

struct Node {
  const void* key;  // first: callers read it through what they are given
  Node* left;
  Node* right;
};

Node** place_of(const void* key, Node** from, Compare compare, Node** parent) {
  while (*from != nullptr) {
    const int order = compare(key, (*from)->key);
    if (order == 0) break;
    if (parent != nullptr) *parent = *from;
    from = order < 0 ? &(*from)->left : &(*from)->right;
  }
  return from;
}

template <typename Act>
void walk(const Node* node, int depth, const Act& act) {
  if (node->left == nullptr && node->right == nullptr) return act(node, leaf, depth);
  act(node, preorder, depth);
  if (node->left != nullptr) walk(node->left, depth + 1, act);
  act(node, postorder, depth);
  if (node->right != nullptr) walk(node->right, depth + 1, act);
  act(node, endorder, depth);
}

void destroy(Node* node, void (*free_key)(void*)) {
  if (node == nullptr) return;
  destroy(node->left, free_key);
  destroy(node->right, free_key);
  free_key(const_cast<void*>(node->key));
  std::free(node);
}

struct Slot {
  unsigned used;
  ENTRY entry;
};

bool is_prime(unsigned number) {
  for (unsigned n = 3; n <= number / n; n += 2)
    if (number % n == 0) return false;
  return true;
}

Slot* slots_of(hsearch_data* table) { return reinterpret_cast<Slot*>(table->table); }

}  // namespace

extern "C" {

void* tsearch(const void* key, void** root, Compare compare) {
  if (root == nullptr) return nullptr;
  Node** const place = place_of(key, reinterpret_cast<Node**>(root), compare, nullptr);
  if (*place != nullptr) return *place;
  auto* const made = static_cast<Node*>(std::malloc(sizeof(Node)));
  if (made == nullptr) return nullptr;
  *made = {key, nullptr, nullptr};
  return *place = made;
}

void* tfind(const void* key, void* const* root, Compare compare) {
  if (root == nullptr) return nullptr;
  return *place_of(key, reinterpret_cast<Node**>(const_cast<void**>(root)), compare, nullptr);
}

void* tdelete(const void* key, void** root, Compare compare) {
  if (root == nullptr) return nullptr;
  Node* parent = nullptr;
  Node** const place = place_of(key, reinterpret_cast<Node**>(root), compare, &parent);
  Node* const gone = *place;
  if (gone == nullptr) return nullptr;
  if (gone->left == nullptr || gone->right == nullptr) {
    *place = gone->left != nullptr ? gone->left : gone->right;
  } else {
    Node** next = &gone->right;
    while ((*next)->left != nullptr) next = &(*next)->left;
    Node* const successor = *next;
    *next = successor->right;
    successor->left = gone->left;
    successor->right = gone->right;
    *place = successor;
  }
  std::free(gone);
  return parent != nullptr ? static_cast<void*>(parent) : static_cast<void*>(root);  // of the root: anything but null
}

void twalk(const void* root, void (*act)(const void*, VISIT, int)) {
  if (root != nullptr && act != nullptr) walk(static_cast<const Node*>(root), 0, act);
}
void twalk_r(const void* root, void (*act)(const void*, VISIT, void*), void* closure) {
  if (root == nullptr || act == nullptr) return;
  walk(static_cast<const Node*>(root), 0, [=](const void* node, VISIT visit, int) { act(node, visit, closure); });
}
void tdestroy(void* root, void (*free_key)(void*)) { destroy(static_cast<Node*>(root), free_key); }

// As many places as the next prime number, as in the C library: a table that is full says so at the same entry.
int hcreate_r(size_t count, hsearch_data* table) {
  if (table == nullptr || table->table != nullptr) {
    if (table == nullptr) errno = EINVAL;
    return 0;
  }
  unsigned size = count < 3 ? 3 : static_cast<unsigned>(count) | 1;
  while (!is_prime(size)) size += 2;
  table->table = static_cast<struct _ENTRY*>(std::calloc(size, sizeof(Slot)));
  if (table->table == nullptr) return 0;
  table->size = size;
  table->filled = 0;
  return 1;
}

int hsearch_r(ENTRY item, ACTION action, ENTRY** found, hsearch_data* table) {
  unsigned hash = 5381;
  for (const char* c = item.key; *c != '\0'; ++c) hash = hash * 33 + static_cast<unsigned char>(*c);
  for (unsigned n = 0; n < table->size; ++n) {
    Slot& slot = slots_of(table)[(hash + n) % table->size];
    if (slot.used && std::strcmp(slot.entry.key, item.key) != 0) continue;
    if (!slot.used) {
      if (action == FIND) break;
      slot = {1, item};
      ++table->filled;
    }
    *found = &slot.entry;
    return 1;
  }
  errno = action == ENTER ? ENOMEM : ESRCH;
  *found = nullptr;
  return 0;
}

void hdestroy_r(hsearch_data* table) {
  if (table == nullptr) {
    errno = EINVAL;
    return;
  }
  std::free(table->table);
  table->table = nullptr;
}

}  // extern "C"
