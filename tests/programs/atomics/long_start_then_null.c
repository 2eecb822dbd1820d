// 200,000 atomic stores before the first thread are neither long nor large: what comes after them is found.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic int items[200000];

static void *count(void *arg) {
  atomic_fetch_add(&items[(long)arg], 1);
  return NULL;
}

int main(int argc, char **argv) {
  for (int i = 0; i < 200000; i++) items[i] = 0;
  const int wanted = atoi(argv[argc]);  // ERROR(null-dereference)!
  pthread_t a, b;
  pthread_create(&a, NULL, count, (void *)1);
  pthread_create(&b, NULL, count, (void *)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return wanted;
}
