// SAYS: reaches code that the compiler holds unreachable
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready;

static void *works(void *p) {
  if (!ready) __builtin_unreachable();  // ERROR(trap)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  ready = 1;
  pthread_join(t, NULL);
  return 0;
}
