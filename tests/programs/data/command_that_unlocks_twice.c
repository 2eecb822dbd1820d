// A state machine of three commands: one of them, after one other, gives the lock back twice.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *serve(void *unused) {
  int open = 0;
  for (int i = 0; i < 2; ++i) {
    switch (__VERIFIER_nondet_uchar()) {
      case 17:
        if (!open) pthread_mutex_lock(&guard);
        open = 1;
        break;
      case 42:
        if (open) pthread_mutex_unlock(&guard);  // and forgets to say so
        break;
      default: break;
    }
  }
  if (open) {
    value++;
    pthread_mutex_unlock(&guard);  // ERROR(lock-misuse)!
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, serve, 0);
  pthread_join(thread, 0);
  return 0;
}
