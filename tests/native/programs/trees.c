// Binary search trees: insertion, deletion, rotation (treap), iteration with a stack, function pointers as visitors.
#include <stdio.h>
#include <stdlib.h>

typedef struct node {
  int key, priority, size;
  struct node *child[2];
} node;

static unsigned seed = 1;
static int next(void) { return (int)((seed = seed * 1664525 + 1013904223) >> 8); }
static int size(const node *n) { return n ? n->size : 0; }
static void update(node *n) { n->size = 1 + size(n->child[0]) + size(n->child[1]); }

static node *rotate(node *n, int side) {
  node *c = n->child[side];
  n->child[side] = c->child[!side];
  c->child[!side] = n;
  update(n);
  update(c);
  return c;
}

static node *insert(node *n, int key) {
  if (!n) {
    n = malloc(sizeof *n);
    *n = (node){key, next(), 1, {NULL, NULL}};
    return n;
  }
  if (key == n->key) return n;
  int side = key > n->key;
  n->child[side] = insert(n->child[side], key);
  update(n);
  return n->child[side]->priority > n->priority ? rotate(n, side) : n;
}

static node *erase(node *n, int key) {
  if (!n) return NULL;
  if (key != n->key) {
    int side = key > n->key;
    n->child[side] = erase(n->child[side], key);
  } else if (!n->child[0] || !n->child[1]) {
    node *rest = n->child[!n->child[0]];
    free(n);
    return rest;
  } else {
    int side = n->child[1]->priority > n->child[0]->priority;
    n = rotate(n, side);
    n->child[!side] = erase(n->child[!side], key);
  }
  update(n);
  return n;
}

static int select_key(const node *n, int rank) {
  for (;;) {
    int left = size(n->child[0]);
    if (rank == left) return n->key;
    if (rank < left) n = n->child[0];
    else {
      rank -= left + 1;
      n = n->child[1];
    }
  }
}

static int visit(const node *n, int (*f)(int, void *), void *data) {
  return !n || (visit(n->child[0], f, data) && f(n->key, data) && visit(n->child[1], f, data));
}
static int show(int key, void *left) {
  printf("%d ", key);
  return --*(int *)left > 0;
}
static int height(const node *n) {
  if (!n) return 0;
  int a = height(n->child[0]), b = height(n->child[1]);
  return 1 + (a > b ? a : b);
}

int main(void) {
  node *root = NULL;
  for (int i = 0; i < 200; i++) root = insert(root, next() % 500);
  int count = 10;
  visit(root, show, &count);
  printf("| size %d median %d\n", size(root), select_key(root, size(root) / 2));
  for (int i = 0; i < 500; i += 3) root = erase(root, i);
  count = 10;
  visit(root, show, &count);
  printf("| size %d bounded %d\n", size(root), height(root) < 25);
  const node *stack[64];
  int top = 0, checks = 0, last = -1;
  for (const node *n = root; n || top;) {
    while (n) {
      stack[top++] = n;
      n = n->child[0];
    }
    n = stack[--top];
    checks += n->key > last && n->key % 3 != 0;
    last = n->key;
    n = n->child[1];
  }
  printf("%d\n", checks == size(root));
  while (root) root = erase(root, root->key);
  return 0;
}
