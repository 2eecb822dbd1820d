// Addresses that are printed and read again: with %p, as a number, in the environment; in halves, and as a product.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

char text[64], number[64];
uint32_t low, high;
uint64_t twice;

void *reader(void *p) {
  int *a = 0, *b, *c, *d, *e = 0;
  sscanf(text, "%p", (void **)&a);
  b = (int *)(uintptr_t)strtoull(number, 0, 10);
  c = (int *)(low | (uintptr_t)high << 32);
  d = (int *)(twice / 2);
  sscanf(getenv("WHERE"), "%p", (void **)&e);
  *a = 1;  // RACE!
  *b = 1;  // RACE!
  *c = 1;  // RACE!
  *d = 1;  // RACE!
  *e = 1;  // RACE!
  return p;
}

int main(void) {
  pthread_t t;
  int *a = malloc(4), *b = malloc(4), *c = malloc(4), *d = malloc(4), *e = malloc(4);
  char where[32];
  sprintf(text, "%p", (void *)a);
  snprintf(number, sizeof number, "%llu", (unsigned long long)(uintptr_t)b);
  low = (uint32_t)(uintptr_t)c, high = (uint32_t)((uintptr_t)c >> 32);
  twice = (uint64_t)(uintptr_t)d * 2;
  sprintf(where, "%p", (void *)e);
  setenv("WHERE", where, 1);
  pthread_create(&t, 0, reader, 0);
  *a = 2;  // RACE!
  *b = 2;  // RACE!
  *c = 2;  // RACE!
  *d = 2;  // RACE!
  *e = 2;  // RACE!
  pthread_join(t, 0);
  free(a), free(b), free(c), free(d), free(e);
  return 0;
}
