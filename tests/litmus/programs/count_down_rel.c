// A reference count: the last thread that counts uses what the others have written. Counting with release only is a
// race.
// source: Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, Repairing Sequential Consistency in C/C++11
// toy: count-down+rel
// graphs: sc 2 tso 2 ra 2 rc11 4
// assertion fails under: rc11
// data race under: sc tso ra rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a;
static int x, y;
static int first_r0, first_r1, second_r0, second_r1;

static void* first(void* unused) {
  x = 1;
  first_r0 = atomic_fetch_add_explicit(&a, 1, memory_order_release);
  if (first_r0 == 1) first_r1 = y;
  return unused;
}

static void* second(void* unused) {
  y = 1;
  second_r0 = atomic_fetch_add_explicit(&a, 1, memory_order_release);
  if (second_r0 == 1) second_r1 = x;
  return unused;
}

int main(void) {
  pthread_t first_thread, second_thread;
  pthread_create(&first_thread, NULL, first, NULL);
  pthread_create(&second_thread, NULL, second, NULL);
  pthread_join(first_thread, NULL);
  pthread_join(second_thread, NULL);
  assert(!(first_r0 == 1 && first_r1 == 0));
  return 0;
}
