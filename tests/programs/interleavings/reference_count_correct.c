// VERDICT: clear
// The last one out frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object { atomic_int references; int payload; };

static void drop(struct object *object) {
  if (atomic_fetch_sub_explicit(&object->references, 1, memory_order_acq_rel) == 1) free(object);
}

static void *worker(void *arg) {
  struct object *object = arg;
  int seen = object->payload;
  drop(object);
  return seen == 3 ? NULL : arg;
}

int main(void) {
  pthread_t a, b;
  struct object *object = malloc(sizeof *object);
  if (!object) return 1;
  atomic_init(&object->references, 2);
  object->payload = 3;
  pthread_create(&a, NULL, worker, object);
  pthread_create(&b, NULL, worker, object);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
