// The count is decremented and tested in two steps: both threads free the object, or one uses it after that.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object { atomic_int references; };

static void drop(struct object *object) {
  atomic_fetch_sub(&object->references, 1);       // ERROR(use-after-free)? RACE?
  if (atomic_load(&object->references) == 0)      // ERROR(use-after-free)! RACE?
    free(object);                                 // ERROR(double-free)! RACE?
}

static void *worker(void *arg) {
  drop(arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  struct object *object = malloc(sizeof *object);
  if (!object) return 1;
  atomic_init(&object->references, 2);
  pthread_create(&a, NULL, worker, object);
  pthread_create(&b, NULL, worker, object);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
