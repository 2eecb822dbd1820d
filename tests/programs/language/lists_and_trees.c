// VERDICT: clear
// Linked data on the heap: built, searched, freed.
#include <assert.h>
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };

static struct tree *insert(struct tree *t, int key) {
  if (!t) {
    t = calloc(1, sizeof *t);
    if (!t) abort();
    t->key = key;
  } else if (key < t->key) {
    t->left = insert(t->left, key);
  } else {
    t->right = insert(t->right, key);
  }
  return t;
}

static int height(const struct tree *t) {
  if (!t) return 0;
  int left = height(t->left), right = height(t->right);
  return 1 + (left > right ? left : right);
}

static void drop(struct tree *t) {
  if (!t) return;
  drop(t->left);
  drop(t->right);
  free(t);
}

int main(void) {
  struct tree *t = NULL;
  int keys[] = {5, 2, 8, 1, 9, 3};
  for (int i = 0; i < 6; i++) t = insert(t, keys[i]);
  assert(height(t) == 3);
  drop(t);
  return 0;
}
