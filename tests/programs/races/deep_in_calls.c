// The unguarded access is three calls away from the thread's entry; the guarded one takes another way.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int statistics;

static void bump(void) { statistics++; }  // RACE!
static void record(int really) { if (really) bump(); }
static void handle(int kind) { record(kind > 0); }

static void *guarded(void *arg) {
  pthread_mutex_lock(&m);
  handle(1);
  pthread_mutex_unlock(&m);
  return arg;
}

static void *direct(void *arg) {
  handle(2);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, guarded, NULL);
  pthread_create(&b, NULL, direct, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
