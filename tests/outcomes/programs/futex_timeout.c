// The wait ends woken (0), timed out (ETIMEDOUT = 110), or does not begin since the word has changed (EAGAIN = 11).
// The wake-up tells how many it woke: 1 exactly when the wait ended woken.
// OUTCOME: exit 0, prints "0 1"
// OUTCOME: exit 0, prints "110 0"
// OUTCOME: exit 0, prints "11 0"
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;
static long woken;

static void* waker(void* p) {
  atomic_store(&word, 1);
  woken = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waker, 0);
  const struct timespec limit = {1, 0};
  const long result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &limit, 0, 0);
  const int code = result == 0 ? 0 : errno;
  pthread_join(t, 0);
  printf("%d %ld", code, woken);
  return 0;
}
