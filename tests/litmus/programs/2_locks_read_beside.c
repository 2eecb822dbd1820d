// Two stores under a mutex: who has the mutex sees both or none; who has not may see one.
// source: ISO C17, 5.1.2.4
// toy: 2-locks+read-beside
// graphs: sc 6 tso 6 ra 6 rc11 6
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int second_r0, third_r0;

static void* first(void* unused) {
  pthread_mutex_lock(&m);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  pthread_mutex_unlock(&m);
  return unused;
}

static void* second(void* unused) {
  pthread_mutex_lock(&m);
  second_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_mutex_unlock(&m);
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread, third_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  assert(!(second_r0 == 1));
  return 0;
}
