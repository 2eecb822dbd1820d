// VERDICT: inconclusive
// SAYS: a stack that the program gives to a thread (pthread_attr_setstack)
// Two threads on one piece of memory: that is not explored, and said.
#include <pthread.h>
#include <stdlib.h>

static void *works(void *arg) { return arg; }

int main(void) {
  pthread_t a, b;
  pthread_attr_t attribute;
  void *memory = aligned_alloc(4096, 1 << 16);
  pthread_attr_init(&attribute);
  pthread_attr_setstack(&attribute, memory, 1 << 16);
  pthread_create(&a, &attribute, works, NULL);
  pthread_create(&b, &attribute, works, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(memory);
  return 0;
}
