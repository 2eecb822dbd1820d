#include <stdio.h>
#include <stdlib.h>
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int queens(int n, int row, unsigned c, unsigned l, unsigned r) { if (row == n) return 1; int s = 0; for (unsigned free = ~(c | l | r) & ((1u << n) - 1); free; free &= free - 1) { unsigned b = free & -free; s += queens(n, row + 1, c | b, (l | b) << 1, (r | b) >> 1); } return s; }
static void permute(char *s, int k, int n, int *count, unsigned *hash) { if (k == n) { (*count)++; for (int i = 0; i < n; i++) *hash = *hash * 33 + s[i]; return; } for (int i = k; i < n; i++) { char t = s[k]; s[k] = s[i]; s[i] = t; permute(s, k + 1, n, count, hash); t = s[k]; s[k] = s[i]; s[i] = t; } }
static int is_even(int n); static int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); } static int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
struct tree { int v; struct tree *l, *r; };
static struct tree *insert(struct tree *t, int v) { if (!t) { t = calloc(1, sizeof *t); t->v = v; } else if (v < t->v) t->l = insert(t->l, v); else t->r = insert(t->r, v); return t; }
static int depth(const struct tree *t) { if (!t) return 0; int a = depth(t->l), b = depth(t->r); return 1 + (a > b ? a : b); }
static void drop(struct tree *t) { if (!t) return; drop(t->l); drop(t->r); free(t); }
int main(void) {
  int count = 0; unsigned hash = 5381; char s[] = "abcdef"; permute(s, 0, 6, &count, &hash); struct tree *t = NULL; unsigned x = 1;
  for (int i = 0; i < 300; i++) { x = x * 1103515245 + 12345; t = insert(t, x >> 16 & 1023); }
  printf("%d %d %d %u %d %d\n", ackermann(2, 6), queens(7, 0, 0, 0, 0), count, hash, is_even(501), depth(t)); drop(t); return queens(6, 0, 0, 0, 0);
}
