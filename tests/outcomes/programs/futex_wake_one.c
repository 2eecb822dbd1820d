// A futex wake-up of one thread may choose either of two waiters, or find one or none waiting yet. Each thread that
// comes too late sees the word changed and does not wait. Who is not woken stays: both waiting and one woken, or none.
// Second wake-up: wakes what is left. Each waiter prints its letter when it goes on, so all orders of the two appear.
// OUTCOME: exit 0, prints "ab"
// OUTCOME: exit 0, prints "ba"
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* wait(void* letter) {
  while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  pthread_mutex_lock(&m);
  printf("%s", (const char*)letter);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, wait, "a");
  pthread_create(&b, 0, wait, "b");
  atomic_store(&word, 1);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
