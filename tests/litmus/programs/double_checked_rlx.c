// Double-checked initialisation: a reader uses the object only when it has seen the flag. One of the readers reads the
// flag relaxed: a race.
// source: Meyers, Alexandrescu 2004, C++ and the Perils of Double-Checked Locking
// toy: double-checked+rlx
// graphs: sc 4 tso 4 ra 4 rc11 6
// assertion fails under: rc11
// data race under: sc tso ra rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int y;
static int x;
static int second_r0, second_r1, third_r0, third_r1;

static void* first(void* unused) {
  x = 1;
  atomic_store_explicit(&y, 1, memory_order_release);
  return unused;
}

static void* second(void* unused) {
  second_r0 = atomic_load_explicit(&y, memory_order_relaxed);
  if (second_r0 == 1) second_r1 = x;
  return unused;
}

static void* third(void* unused) {
  third_r0 = atomic_load_explicit(&y, memory_order_acquire);
  if (third_r0 == 1) third_r1 = x;
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
  assert(!(second_r0 == 1 && second_r1 == 0));
  return 0;
}
