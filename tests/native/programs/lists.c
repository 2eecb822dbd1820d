// Linked lists of several kinds: pointer-to-pointer removal, merge sort, reversal, intrusive lists with offsetof.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *head, int v) {
  struct node *n = malloc(sizeof *n);
  *n = (struct node){v, head};
  return n;
}

static struct node *reverse(struct node *n) {
  struct node *out = NULL;
  while (n) {
    struct node *next = n->next;
    n->next = out;
    out = n;
    n = next;
  }
  return out;
}

static struct node *merge(struct node *a, struct node *b) {
  struct node *head = NULL, **tail = &head;
  while (a && b) {
    struct node **smaller = a->value <= b->value ? &a : &b;
    *tail = *smaller;
    *smaller = (*smaller)->next;
    tail = &(*tail)->next;
  }
  *tail = a ? a : b;
  return head;
}

static struct node *sort(struct node *n) {
  if (!n || !n->next) return n;
  struct node *slow = n, *fast = n->next;
  while (fast && fast->next) {
    slow = slow->next;
    fast = fast->next->next;
  }
  struct node *half = slow->next;
  slow->next = NULL;
  return merge(sort(n), sort(half));
}

static void remove_if(struct node **at, int (*unwanted)(int)) {
  while (*at) {
    if (unwanted((*at)->value)) {
      struct node *dead = *at;
      *at = dead->next;
      free(dead);
    } else {
      at = &(*at)->next;
    }
  }
}

static int odd(int v) { return v & 1; }

static void print(const char *what, const struct node *n) {
  printf("%s:", what);
  for (; n; n = n->next) printf(" %d", n->value);
  puts("");
}

struct link {
  struct link *prev, *next;
};
struct item {
  const char *name;
  struct link by_age, by_name;
};
#define ITEM(p, member) ((struct item *)((char *)(p)-offsetof(struct item, member)))

static void insert(struct link *head, struct link *l) {
  l->next = head;
  l->prev = head->prev;
  head->prev->next = l;
  head->prev = l;
}

int main(void) {
  struct node *list = NULL;
  unsigned x = 7;
  for (int i = 0; i < 20; i++) {
    x = x * 1103515245 + 12345;
    list = push(list, (int)(x >> 16) % 100);
  }
  print("made", list);
  list = reverse(list);
  print("reversed", list);
  list = sort(list);
  print("sorted", list);
  remove_if(&list, odd);
  print("even", list);
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  struct link ages = {&ages, &ages}, names = {&names, &names};
  struct item items[] = {{"zoe", {0}, {0}}, {"adam", {0}, {0}}, {"mia", {0}, {0}}};
  for (int i = 0; i < 3; i++) insert(&ages, &items[i].by_age);
  for (int i = 0; i < 3; i++) insert(&names, &items[(i + 1) % 3].by_name);
  for (struct link *l = ages.next; l != &ages; l = l->next) printf("%s ", ITEM(l, by_age)->name);
  for (struct link *l = names.prev; l != &names; l = l->prev) printf("%s ", ITEM(l, by_name)->name);
  puts("");
  return 0;
}
