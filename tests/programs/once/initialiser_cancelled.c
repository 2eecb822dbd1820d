// VERDICT: clear
// Who is cancelled in an initialiser has not run it: another thread does, or waits no longer.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tries, made;

static void make(void) {
  if (tries++ == 0) {
    pthread_cancel(pthread_self());
    pthread_testcancel();
  }
  made = 1;
}

static void *work(void *argument) {
  pthread_once(&once, make);
  assert(made);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(tries == 2);
  return 0;
}
