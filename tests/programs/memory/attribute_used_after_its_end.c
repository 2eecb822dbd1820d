// An attribute is destroyed before the last thread is made by it.
#include <pthread.h>
#include <stddef.h>

static void *works(void *arg) { return arg; }

int main(void) {
  pthread_t a, b;
  pthread_attr_t attribute;
  pthread_attr_init(&attribute);
  pthread_create(&a, &attribute, works, NULL);
  pthread_attr_destroy(&attribute);
  pthread_create(&b, &attribute, works, NULL);  // ERROR(lock-misuse)!
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
