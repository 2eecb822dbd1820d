// VERDICT: clear
// Double-checked initialisation with release and acquire.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct service { int port; };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct service *) instance;

static struct service *get(void) {
  struct service *found = atomic_load_explicit(&instance, memory_order_acquire);
  if (found) return found;
  pthread_mutex_lock(&m);
  found = atomic_load_explicit(&instance, memory_order_relaxed);
  if (!found) {
    found = malloc(sizeof *found);
    if (!found) abort();
    found->port = 80;
    atomic_store_explicit(&instance, found, memory_order_release);
  }
  pthread_mutex_unlock(&m);
  return found;
}

static void *worker(void *arg) { return get()->port == 80 ? arg : NULL; }

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(atomic_load(&instance));
  return 0;
}
