// What a callee decides by longjmp is whether its caller gives the mutex back.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static jmp_buf failed;

static void check(int wrong) {
  if (wrong) longjmp(failed, 1);
}

static void *work(void *unused) {
  if (!setjmp(failed)) {
    pthread_mutex_lock(&mutex);
    ++count;
    check(0);
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
