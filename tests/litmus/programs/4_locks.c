// Four threads under a mutex: one graph per order of the critical sections.
// source: POSIX.1-2017, 4.12 Memory Synchronization
// formula: sc 4! tso 4! ra 4! rc11 4!
// graphs: sc 24 tso 24 ra 24 rc11 24
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int first_r0, second_r0, third_r0, fourth_r0;

static void* first(void* unused) {
  pthread_mutex_lock(&m);
  first_r0 = x;
  x = first_r0 + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void* second(void* unused) {
  pthread_mutex_lock(&m);
  second_r0 = x;
  x = second_r0 + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void* third(void* unused) {
  pthread_mutex_lock(&m);
  third_r0 = x;
  x = third_r0 + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

static void* fourth(void* unused) {
  pthread_mutex_lock(&m);
  fourth_r0 = x;
  x = fourth_r0 + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread, third_thread, fourth_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_create(&third_thread, NULL, third, NULL);
  pthread_create(&fourth_thread, NULL, fourth, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  pthread_join(third_thread, NULL);
  pthread_join(fourth_thread, NULL);
  assert(!(x == 3));
  return 0;
}
