// Sorting in many ways; qsort and bsearch with comparators that count their calls.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int comparisons;
static int by_value(const void *a, const void *b) {
  comparisons++;
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
struct big { char pad[36]; int key; };
static int by_key(const void *a, const void *b) { return ((const struct big *)a)->key - ((const struct big *)b)->key; }
static int with_data(const void *a, const void *b, void *data) {
  return (*(const int *)a % *(int *)data) - (*(const int *)b % *(int *)data);
}

static unsigned state = 99;
static int next(int limit) {
  state = state * 1103515245 + 12345;
  return (int)(state >> 16) % limit;
}

static void insertion(int *a, int n) {
  for (int i = 1; i < n; i++) {
    int v = a[i], j = i;
    for (; j > 0 && a[j - 1] > v; j--) a[j] = a[j - 1];
    a[j] = v;
  }
}
static void heap(int *a, int n) {
  for (int start = n / 2 - 1, end = n; end > 1;) {
    if (start >= 0) {
      start--;
    } else {
      int t = a[--end];
      a[end] = a[0];
      a[0] = t;
    }
    for (int root = start + 1 > 0 ? start + 1 : 0, child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && a[child] < a[child + 1]) child++;
      if (a[root] >= a[child]) break;
      int t = a[root];
      a[root] = a[child];
      a[child] = t;
    }
  }
}
static void quick(int *lo, int *hi) {
  while (lo < hi) {
    int pivot = lo[(hi - lo) / 2], *i = lo - 1, *j = hi + 1;
    for (;;) {
      do i++; while (*i < pivot);
      do j--; while (*j > pivot);
      if (i >= j) break;
      int t = *i;
      *i = *j;
      *j = t;
    }
    quick(lo, j);
    lo = j + 1;
  }
}
static void radix(unsigned *a, int n) {
  unsigned *b = malloc((size_t)n * sizeof *b);
  for (int shift = 0; shift < 32; shift += 8) {
    size_t count[257] = {0};
    for (int i = 0; i < n; i++) count[(a[i] >> shift & 255) + 1]++;
    for (int i = 0; i < 256; i++) count[i + 1] += count[i];
    for (int i = 0; i < n; i++) b[count[a[i] >> shift & 255]++] = a[i];
    unsigned *t = a;
    a = b;
    b = t;
  }
  free(b);
}

int main(void) {
  int a[100], b[100];
  for (int i = 0; i < 100; i++) a[i] = next(1000);
  memcpy(b, a, sizeof a);
  qsort(b, 100, sizeof b[0], by_value);
  printf("%d comparisons, %d..%d\n", comparisons, b[0], b[99]);
  void (*sorts[])(int *, int) = {insertion, heap};
  for (int s = 0; s < 2; s++) {
    int c[100];
    memcpy(c, a, sizeof a);
    sorts[s](c, 100);
    printf("%d ", memcmp(b, c, sizeof b));
  }
  int c[100];
  memcpy(c, a, sizeof a);
  quick(c, c + 99);
  printf("%d ", memcmp(b, c, sizeof b));
  memcpy(c, a, sizeof a);
  radix((unsigned *)c, 100);
  printf("%d\n", memcmp(b, c, sizeof b));
  comparisons = 0;
  int key = b[37], *found = bsearch(&key, b, 100, sizeof b[0], by_value), missing = -1;
  printf("%d %d %d\n", *found == key, bsearch(&missing, b, 100, sizeof b[0], by_value) == NULL, comparisons);
  const char *words[] = {"pear", "fig", "apple", "banana", "cherry", "date"};
  qsort(words, 6, sizeof words[0], by_text);
  for (int i = 0; i < 6; i++) printf("%s ", words[i]);
  struct big *bigs = calloc(20, sizeof *bigs);
  for (int i = 0; i < 20; i++) {
    bigs[i].key = next(5);
    sprintf(bigs[i].pad, "n%d", i);
  }
  qsort(bigs, 20, sizeof *bigs, by_key);
  for (int i = 0; i < 20; i++) printf("%s/%d ", bigs[i].pad, bigs[i].key);
  free(bigs);
  int modulus = 7;
  qsort_r(a, 20, sizeof a[0], with_data, &modulus);
  for (int i = 0; i < 20; i++) printf("%d ", a[i]);
  puts("");
  return comparisons;
}
