// A wake-up with bits reaches only waiters that share one: the thread with bit 2 is woken by bit 2 alone. One wake-up
// with bit 1 finds the first waiter or comes too early; the second one, with all bits, wakes whoever waits. The word
// changes before both, so nobody is left behind, and the first wake-up wakes at most one.
// OUTCOME: exit 0, prints "0"
// OUTCOME: exit 0, prints "1"
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void* wait(void* bits) {
  while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, 0, (long)bits);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, wait, (void*)1);
  pthread_create(&b, 0, wait, (void*)2);
  atomic_store(&word, 1);
  const long first = syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, 5, 0, 0, 1);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 2, 0, 0, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  printf("%ld", first);
  return 0;
}
