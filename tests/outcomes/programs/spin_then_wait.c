// What libstdc++'s atomic wait does: look 16 times with pauses between, then wait for the futex. The pauses do not
// multiply interleavings: what a spinning reader sees first or last is all that can matter.
// OUTCOME: exit 0, prints "1 2"
// EXECUTIONS: 100
#define _GNU_SOURCE
#include <immintrin.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int first, second;
static int values[2];

static int spin(atomic_int* word) {
  for (int n = 0; n < 16; ++n) {
    if (atomic_load(word) != 0) return 1;
    if (n < 12)
      _mm_pause();
    else
      sched_yield();
  }
  return 0;
}

static void await(atomic_int* word) {
  while (!spin(word)) syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

static void publish(atomic_int* word) {
  atomic_store(word, 1);
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void* answer(void* p) {
  await(&first);
  values[1] = 2;
  publish(&second);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, answer, 0);
  values[0] = 1;
  publish(&first);
  await(&second);
  printf("%d %d", values[0], values[1]);
  pthread_join(t, 0);
  return 0;
}
