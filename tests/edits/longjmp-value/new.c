// With which value a callee jumps decides which lock is taken.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void leave(jmp_buf *to, int how) { longjmp(*to, how); }

static void *work(void *unused) {
  jmp_buf here;
  switch (setjmp(here)) {
    case 0: leave(&here, 2);
    case 1: pthread_mutex_lock(&mutex); ++count; pthread_mutex_unlock(&mutex); break;
    default: ++count;  // RACE!
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&mutex);
  ++count;  // RACE!
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
