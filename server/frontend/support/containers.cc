// Helpers of the containers: trees, lists, the growth of hash tables, hashes; smart pointers and random devices.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <random>
#include <unordered_map>
#include <valarray>

namespace std {

// Red-black trees (Cormen, Leiserson, Rivest, Stein, chapter 13). The header node has the root as its parent, the
// leftmost node on its left and the rightmost on its right; it is red, which distinguishes it from the root.
namespace {

using Node = _Rb_tree_node_base;

Node* next_node(Node* node) {
  if (node->_M_right) return Node::_S_minimum(node->_M_right);
  Node* parent = node->_M_parent;
  while (node == parent->_M_right) {
    node = parent;
    parent = parent->_M_parent;
  }
  return node->_M_right != parent ? parent : node;  // a tree of one node: the header is its own successor's parent
}

Node* previous_node(Node* node) {
  if (node->_M_color == _S_red && node->_M_parent->_M_parent == node) return node->_M_right;  // the header
  if (node->_M_left) return Node::_S_maximum(node->_M_left);
  Node* parent = node->_M_parent;
  while (node == parent->_M_left) {
    node = parent;
    parent = parent->_M_parent;
  }
  return parent;
}

// Puts `other` where `node` hangs from its parent.
void hang(Node* node, Node* other, Node*& root) {
  if (node == root)
    root = other;
  else if (node == node->_M_parent->_M_left)
    node->_M_parent->_M_left = other;
  else
    node->_M_parent->_M_right = other;
}

void rotate_left(Node* node, Node*& root) {
  Node* const up = node->_M_right;
  node->_M_right = up->_M_left;
  if (up->_M_left) up->_M_left->_M_parent = node;
  up->_M_parent = node->_M_parent;
  hang(node, up, root);
  up->_M_left = node;
  node->_M_parent = up;
}

void rotate_right(Node* node, Node*& root) {
  Node* const up = node->_M_left;
  node->_M_left = up->_M_right;
  if (up->_M_right) up->_M_right->_M_parent = node;
  up->_M_parent = node->_M_parent;
  hang(node, up, root);
  up->_M_right = node;
  node->_M_parent = up;
}

bool is_black(const Node* node) { return !node || node->_M_color == _S_black; }

// `node` (may be null, below `parent`) lacks one black node on its paths.
void add_black(Node* node, Node* parent, Node*& root) {
  while (node != root && is_black(node)) {
    const bool left = node == parent->_M_left;
    Node* sibling = left ? parent->_M_right : parent->_M_left;
    if (sibling->_M_color == _S_red) {
      sibling->_M_color = _S_black;
      parent->_M_color = _S_red;
      left ? rotate_left(parent, root) : rotate_right(parent, root);
      sibling = left ? parent->_M_right : parent->_M_left;
    }
    if (is_black(sibling->_M_left) && is_black(sibling->_M_right)) {
      sibling->_M_color = _S_red;
      node = parent;
      parent = parent->_M_parent;
      continue;
    }
    Node* outer = left ? sibling->_M_right : sibling->_M_left;
    if (is_black(outer)) {
      (left ? sibling->_M_left : sibling->_M_right)->_M_color = _S_black;
      sibling->_M_color = _S_red;
      left ? rotate_right(sibling, root) : rotate_left(sibling, root);
      sibling = left ? parent->_M_right : parent->_M_left;
      outer = left ? sibling->_M_right : sibling->_M_left;
    }
    sibling->_M_color = parent->_M_color;
    parent->_M_color = _S_black;
    outer->_M_color = _S_black;
    left ? rotate_left(parent, root) : rotate_right(parent, root);
    break;
  }
  if (node) node->_M_color = _S_black;
}

}  // namespace

Node* _Rb_tree_increment(Node* node) throw() { return next_node(node); }
const Node* _Rb_tree_increment(const Node* node) throw() { return next_node(const_cast<Node*>(node)); }
Node* _Rb_tree_decrement(Node* node) throw() { return previous_node(node); }
const Node* _Rb_tree_decrement(const Node* node) throw() { return previous_node(const_cast<Node*>(node)); }

void _Rb_tree_insert_and_rebalance(const bool left, Node* node, Node* parent, Node& header) throw() {
  Node*& root = header._M_parent;
  node->_M_parent = parent;
  node->_M_left = nullptr;
  node->_M_right = nullptr;
  node->_M_color = _S_red;
  if (left) {
    parent->_M_left = node;  // of the header: the leftmost node
    if (parent == &header) {
      header._M_parent = node;
      header._M_right = node;
    } else if (parent == header._M_left) {
      header._M_left = node;
    }
  } else {
    parent->_M_right = node;
    if (parent == header._M_right) header._M_right = node;
  }
  while (node != root && node->_M_parent->_M_color == _S_red) {
    Node* const above = node->_M_parent->_M_parent;
    const bool on_left = node->_M_parent == above->_M_left;
    Node* const uncle = on_left ? above->_M_right : above->_M_left;
    if (!is_black(uncle)) {
      node->_M_parent->_M_color = _S_black;
      uncle->_M_color = _S_black;
      above->_M_color = _S_red;
      node = above;
      continue;
    }
    if (node == (on_left ? node->_M_parent->_M_right : node->_M_parent->_M_left)) {
      node = node->_M_parent;
      on_left ? rotate_left(node, root) : rotate_right(node, root);
    }
    node->_M_parent->_M_color = _S_black;
    above->_M_color = _S_red;
    on_left ? rotate_right(above, root) : rotate_left(above, root);
  }
  root->_M_color = _S_black;
}

Node* _Rb_tree_rebalance_for_erase(Node* const node, Node& header) throw() {
  Node*& root = header._M_parent;
  Node* child = nullptr;   // takes the place of what is cut out
  Node* parent = nullptr;  // of that place
  _Rb_tree_color cut = node->_M_color;
  if (node->_M_left && node->_M_right) {
    Node* const successor = Node::_S_minimum(node->_M_right);
    cut = successor->_M_color;
    child = successor->_M_right;
    parent = successor;
    if (successor != node->_M_right) {
      parent = successor->_M_parent;
      if (child) child->_M_parent = parent;
      parent->_M_left = child;
      successor->_M_right = node->_M_right;
      node->_M_right->_M_parent = successor;
    }
    successor->_M_left = node->_M_left;
    node->_M_left->_M_parent = successor;
    hang(node, successor, root);
    successor->_M_parent = node->_M_parent;
    successor->_M_color = node->_M_color;
    node->_M_color = cut;
  } else {
    child = node->_M_left ? node->_M_left : node->_M_right;
    parent = node->_M_parent;
    if (child) child->_M_parent = parent;
    hang(node, child, root);
    if (header._M_left == node) header._M_left = child ? Node::_S_minimum(child) : parent;
    if (header._M_right == node) header._M_right = child ? Node::_S_maximum(child) : parent;
  }
  if (cut == _S_black) add_black(child, parent, root);
  return node;
}

namespace __detail {

void _List_node_base::swap(_List_node_base& a, _List_node_base& b) noexcept {
  const bool a_empty = a._M_next == &a, b_empty = b._M_next == &b;
  std::swap(a._M_next, b._M_next);
  std::swap(a._M_prev, b._M_prev);
  if (b_empty)
    a._M_next = a._M_prev = &a;
  else
    a._M_next->_M_prev = a._M_prev->_M_next = &a;
  if (a_empty)
    b._M_next = b._M_prev = &b;
  else
    b._M_next->_M_prev = b._M_prev->_M_next = &b;
}

void _List_node_base::_M_transfer(_List_node_base* const first, _List_node_base* const last) noexcept {
  if (this == last) return;
  _List_node_base* const tail = last->_M_prev;
  first->_M_prev->_M_next = last;
  last->_M_prev = first->_M_prev;
  first->_M_prev = _M_prev;
  _M_prev->_M_next = first;
  tail->_M_next = this;
  _M_prev = tail;
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base* node = this;
  do {
    std::swap(node->_M_next, node->_M_prev);
    node = node->_M_prev;  // the next one, before the swap
  } while (node != this);
}

void _List_node_base::_M_hook(_List_node_base* const position) noexcept {
  _M_next = position;
  _M_prev = position->_M_prev;
  position->_M_prev->_M_next = this;
  position->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept {
  _M_prev->_M_next = _M_next;
  _M_next->_M_prev = _M_prev;
}

// Sizes of hash tables. The library looks them up in a table of primes; programs print iteration orders, so the sizes
// are the same as there for tables up to 2^20 or so.
namespace {
// clang-format off
const size_t primes[] = {
    17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109, 113, 127, 137, 139, 149,
    157, 167, 179, 193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359, 383, 409, 439, 467, 503, 541, 577, 619, 661,
    709, 761, 823, 887, 953, 1031, 1109, 1193, 1289, 1381, 1493, 1613, 1741, 1879, 2029, 2179, 2357, 2549, 2753, 2971,
    3209, 3469, 3739, 4027, 4349, 4703, 5087, 5503, 5953, 6427, 6949, 7517, 8123, 8783, 9497, 10273, 11113, 12011,
    12983, 14033, 15173, 16411, 17749, 19183, 20753, 22447, 24281, 26267, 28411, 30727, 33223, 35933, 38873, 42043,
    45481, 49201, 53201, 57557, 62233, 67307, 72817, 78779, 85229, 92203, 99733, 107897, 116731, 126271, 136607,
    147793, 159871, 172933, 187091, 202409, 218971, 236897, 256279, 277261, 299951, 324503, 351061, 379787, 410857,
    444487, 480881, 520241, 562841, 608903, 658753, 712697, 771049, 834181, 902483, 976369, 1056323, 1142821, 1236397,
    1337629, 1447153, 1565659, 1693859, 1832561, 1982627, 2144977, 2320627, 2510653, 2716249, 2938679, 3179303,
    3439651, 3721303, 4026031, 4355707, 4712381, 5098259, 5515729, 5967347, 6456007, 6984629, 7556579, 8175383,
    8844859, 9569143, 10352717, 11200489, 12117689, 13109983, 14183539, 15345007, 16601593, 17961079, 19431899,
    21023161, 22744717, 24607243, 26622317, 28802401, 31160981, 33712729, 36473443, 39460231, 42691603, 46187573,
    49969847, 54061849, 58488943, 63278561, 68460391, 74066549, 80131819, 86693767, 93793069, 101473717, 109783337,
    118773397, 128499677, 139022417, 150406843, 162723577, 176048909, 190465427, 206062531, 222936881, 241193053,
    260944219, 282312799, 305431229, 330442829, 357502601, 386778277, 418451333, 452718089, 489790921, 529899637,
    573292817, 620239453, 671030513, 725980837, 785430967, 849749479, 919334987, 994618837, 1076067617, 1164186217,
    1259520799, 1362662261, 1474249943, 1594975441, 1725587117, 1866894511, 2019773507, 2185171673ul, 2364114217ul,
    2557710269ul, 2767159799ul, 2993761039ul, 3238918481ul, 3504151727ul, 3791104843ul, 4101556399ul, 4294967291ul,
    6442450933ul, 8589934583ul, 12884901857ul, 17179869143ul, 25769803693ul, 34359738337ul, 51539607367ul,
    68719476731ul, 103079215087ul, 137438953447ul, 206158430123ul, 274877906899ul, 412316860387ul, 549755813881ul,
    824633720731ul, 1099511627689ul, 1649267441579ul, 2199023255531ul, 3298534883309ul, 4398046511093ul,
    6597069766607ul, 8796093022151ul, 13194139533241ul, 17592186044399ul, 26388279066581ul, 35184372088777ul,
    52776558133177ul, 70368744177643ul, 105553116266399ul, 140737488355213ul, 211106232532861ul, 281474976710597ul,
    562949953421231ul, 1125899906842597ul, 2251799813685119ul, 4503599627370449ul, 9007199254740881ul,
    18014398509481951ul, 36028797018963913ul, 72057594037927931ul, 144115188075855859ul, 288230376151711717ul,
    576460752303423433ul, 1152921504606846883ul, 2305843009213693951ul, 4611686018427387847ul, 9223372036854775783ul,
    18446744073709551557ul};
// clang-format on
}  // namespace

size_t _Prime_rehash_policy::_M_next_bkt(size_t wanted) const {
  static const unsigned char fast[] = {2, 2, 2, 3, 5, 5, 7, 7, 11, 11, 11, 11, 13, 13};
  if (wanted < sizeof fast) {
    if (wanted == 0) return 1;
    _M_next_resize = static_cast<size_t>(__builtin_floor(fast[wanted] * static_cast<double>(_M_max_load_factor)));
    return fast[wanted];
  }
  const size_t* const end = primes + sizeof primes / sizeof *primes;
  const size_t* const found = std::lower_bound(primes, end - 1, wanted);
  _M_next_resize = found == end - 1
                       ? ~size_t{0}
                       : static_cast<size_t>(__builtin_floor(*found * static_cast<double>(_M_max_load_factor)));
  return *found;
}

std::pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t inserted) const {
  if (elements + inserted <= _M_next_resize) return {false, 0};
  // A table that was never used begins with eleven elements in mind.
  const double least =
      std::max<size_t>(elements + inserted, _M_next_resize ? 0 : 11) / static_cast<double>(_M_max_load_factor);
  if (least >= buckets)
    return {true,
            _M_next_bkt(std::max<size_t>(static_cast<size_t>(__builtin_floor(least)) + 1, buckets * _S_growth_factor))};
  _M_next_resize = static_cast<size_t>(__builtin_floor(buckets * static_cast<double>(_M_max_load_factor)));
  return {false, 0};
}

}  // namespace __detail

// MurmurHash64A (Appleby) with the library's variation of it, and FNV-1a: hashes that programs may print.
size_t _Hash_bytes(const void* data, size_t length, size_t seed) {
  constexpr size_t multiplier = 0xc6a4a7935bd1e995ull;
  const auto shift_mix = [](size_t v) { return v ^ (v >> 47); };
  const char* const at = static_cast<const char*>(data);
  const size_t whole = length & ~size_t{7};
  size_t hash = seed ^ (length * multiplier);
  for (size_t k = 0; k != whole; k += 8) {  // from the beginning each time: a step of 8 bytes is one through pointers
    size_t word;
    char_traits<char>::copy(reinterpret_cast<char*>(&word), at + k, 8);
    hash ^= shift_mix(word * multiplier) * multiplier;
    hash *= multiplier;
  }
  if (length & 7) {
    size_t word = 0;
    for (size_t n = length & 7; n-- > 0;) word = (word << 8) + static_cast<unsigned char>(at[whole + n]);
    hash ^= word;
    hash *= multiplier;
  }
  hash = shift_mix(hash) * multiplier;
  return shift_mix(hash);
}

size_t _Fnv_hash_bytes(const void* data, size_t length, size_t hash) {
  const char* at = static_cast<const char*>(data);
  for (; length; --length) {
    hash ^= static_cast<size_t>(*at++);
    hash *= size_t{1099511628211ull};
  }
  return hash;
}

// Locks of the free functions on shared_ptr (atomic_load and the like): one for all is enough here.
static constinit mutex shared_ptr_lock;
_Sp_locker::_Sp_locker(const void*) noexcept : _M_key1(0), _M_key2(0) { shared_ptr_lock.lock(); }
_Sp_locker::_Sp_locker(const void*, const void*) noexcept : _M_key1(0), _M_key2(0) { shared_ptr_lock.lock(); }
_Sp_locker::~_Sp_locker() { shared_ptr_lock.unlock(); }

// A random device is a generator with a fixed seed: every run is the same.
void random_device::_M_init(const string&) { ::new (&_M_mt) mt19937(5489u); }
void random_device::_M_init_pretr1(const string& token) { _M_init(token); }
void random_device::_M_fini() {}
unsigned random_device::_M_getval() { return static_cast<unsigned>(_M_mt()); }
unsigned random_device::_M_getval_pretr1() { return _M_getval(); }
double random_device::_M_getentropy() const noexcept { return 0.0; }

namespace pmr {

memory_resource::~memory_resource() = default;

namespace {
struct NewDelete final : memory_resource {
  void* do_allocate(size_t bytes, size_t alignment) override {
    return ::operator new(bytes, std::align_val_t(alignment));
  }
  void do_deallocate(void* block, size_t bytes, size_t alignment) override {
    ::operator delete(block, bytes, std::align_val_t(alignment));
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};
struct Null final : memory_resource {
  void* do_allocate(size_t, size_t) override { throw std::bad_alloc(); }
  void do_deallocate(void*, size_t, size_t) override {}
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};
template <typename Resource>
struct Eternal {
  union {
    Resource resource;
  };
  constexpr Eternal() : resource() {}
  ~Eternal() {}
};
constinit Eternal<NewDelete> new_delete_instance;
constinit Eternal<Null> null_instance;
constinit std::atomic<memory_resource*> default_instance{&new_delete_instance.resource};
}  // namespace

memory_resource* new_delete_resource() noexcept { return &new_delete_instance.resource; }
memory_resource* null_memory_resource() noexcept { return &null_instance.resource; }
memory_resource* get_default_resource() noexcept { return default_instance.load(); }
memory_resource* set_default_resource(memory_resource* wanted) noexcept {
  return default_instance.exchange(wanted ? wanted : new_delete_resource());
}

}  // namespace pmr
// The places of a generalised slice in the order of its elements: the last index goes round first.
gslice::_Indexer::_Indexer(size_t start, const valarray<size_t>& sizes, const valarray<size_t>& strides)
    : _M_count(1), _M_start(start), _M_size(sizes), _M_stride(strides) {
  size_t count = sizes.size() != 0;
  for (size_t k = 0; k < sizes.size(); ++k) count *= sizes[k];
  _M_index.resize(count);
  for (size_t n = 0; n < count; ++n) {
    size_t place = start, rest = n;
    for (size_t k = sizes.size(); k-- > 0; rest /= sizes[k]) place += rest % sizes[k] * strides[k];
    _M_index[n] = place;
  }
}

}  // namespace std
