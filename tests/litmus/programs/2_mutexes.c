// Two pairs of threads, each pair under its own mutex: the orders are independent.
// source: POSIX.1-2017, 4.12 Memory Synchronization
// formula: sc 2!*2! tso 2!*2! ra 2!*2! rc11 2!*2!
// graphs: sc 4 tso 4 ra 4 rc11 4
// assertion fails under: none
// data race under: none
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
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
  pthread_mutex_lock(&n);
  third_r0 = y;
  y = third_r0 + 1;
  pthread_mutex_unlock(&n);
  return unused;
}

static void* fourth(void* unused) {
  pthread_mutex_lock(&n);
  fourth_r0 = y;
  y = fourth_r0 + 1;
  pthread_mutex_unlock(&n);
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
  assert(!(x == 1));
  return 0;
}
