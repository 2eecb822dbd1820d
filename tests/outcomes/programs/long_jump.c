// An error deep in calls jumps back to the setjmp of its thread. Who finds the lock taken jumps; at most one does: the
// holder cannot fail, and the other fails only while it is held.
// OUTCOME: exit 0, prints "00"
// OUTCOME: exit 0, prints "01"
// OUTCOME: exit 0, prints "10"
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int failed[2];

static void inner(jmp_buf* back, int depth) {
  volatile char pad[16];
  pad[depth] = 1;
  if (depth > 0) {
    inner(back, depth - 1);
    return;
  }
  if (pthread_mutex_trylock(&m) != 0) longjmp(*back, 7);
  pthread_mutex_unlock(&m);
}

static void* work(void* result) {
  jmp_buf back;
  const int code = setjmp(back);
  if (code == 0)
    inner(&back, 3);
  else
    *(int*)result = code == 7;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, &failed[0]);
  work(&failed[1]);
  pthread_join(t, 0);
  printf("%d%d", failed[0], failed[1]);
  return 0;
}
