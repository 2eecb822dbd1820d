// Threads that make threads: their numbers are known before they are made, in any order.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* parallel mergesort with recursion, and prefix sums with a barrier */
struct range {
  int* a;
  int n, depth;
};
static void merge(int* a, int m, int n) {
  int *t = malloc((size_t)n * sizeof *t), i = 0, j = m, k = 0;
  while (i < m || j < n) t[k++] = j == n || (i < m && a[i] <= a[j]) ? a[i++] : a[j++];
  memcpy(a, t, (size_t)n * sizeof *t);
  free(t);
}
static void* msort(void* p) {
  struct range* r = p;
  if (r->n < 2) return NULL;
  int m = r->n / 2;
  struct range l = {r->a, m, r->depth - 1}, h = {r->a + m, r->n - m, r->depth - 1};
  pthread_t t;
  int par = r->depth > 0 && !pthread_create(&t, NULL, msort, &l);
  if (!par) msort(&l);
  msort(&h);
  if (par) pthread_join(t, NULL);
  merge(r->a, m, r->n);
  return NULL;
}
#define P 2
static int data[8], part[P];
static pthread_barrier_t bar;
static void* scan(void* q) {
  long id = (long)q;
  int* d = data + id * 4;
  for (int i = 1; i < 4; i++) d[i] += d[i - 1];
  part[id] = d[3];
  pthread_barrier_wait(&bar);
  int add = 0;
  for (int k = 0; k < id; k++) add += part[k];
  for (int i = 0; i < 4; i++) d[i] += add;
  return 0;
}
int main(void) {
  int a[] = {9, -3, 5, 5, 0, 12, 7, -8, 1};
  struct range r = {a, 9, 2};
  msort(&r);
  for (int i = 0; i < 9; i++) printf("%d ", a[i]);
  puts("");
  for (int i = 0; i < 8; i++) data[i] = i + 1;
  pthread_barrier_init(&bar, 0, P);
  pthread_t t[P];
  for (long i = 0; i < P; i++) pthread_create(&t[i], 0, scan, (void*)i);
  for (int i = 0; i < P; i++) pthread_join(t[i], 0);
  for (int i = 0; i < 8; i++) printf("%d ", data[i]);
  puts("");
  pthread_barrier_destroy(&bar);
}
