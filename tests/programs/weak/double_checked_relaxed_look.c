// The first look acquires nothing.
// OPTIONS: --full --memory-model=rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int storage;
static _Atomic(int *) instance;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static int *get(void) {
  int *made = atomic_load_explicit(&instance, memory_order_relaxed);
  if (made) return made;
  pthread_mutex_lock(&guard);
  made = atomic_load_explicit(&instance, memory_order_relaxed);
  if (!made) {
    storage = 42;  // RACE?
    made = &storage;
    atomic_store_explicit(&instance, made, memory_order_release);
  }
  pthread_mutex_unlock(&guard);
  return made;
}

static void *use(void *unused) {
  assert(*get() == 42);  // RACE!  ERROR(assertion)?
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, use, 0);
  pthread_create(&other, 0, use, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
