// A lock of three states over a futex (Drepper: Futexes are tricky): no increment is lost, nobody waits for ever.
// OUTCOME: exit 0, prints "3\n"
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int word;
static int counter;
static void lock(void) {
  int c = 0;
  if (atomic_compare_exchange_strong(&word, &c, 1)) return;
  if (c != 2) c = atomic_exchange(&word, 2);
  while (c != 0) {
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
    c = atomic_exchange(&word, 2);
  }
}
static void unlock(void) {
  if (atomic_fetch_sub(&word, 1) != 1) {
    atomic_store(&word, 0);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  }
}
static void* f(void* p) {
  lock();
  counter++;
  unlock();
  return p;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, f, 0);
  f(0);
  f(0);
  pthread_join(a, 0);
  assert(counter == 3);
  printf("%d\n", counter);
  return 0;
}
