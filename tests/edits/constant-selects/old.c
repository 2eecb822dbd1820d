// A constant argument selects code two calls down that nobody ran before.
#include <pthread.h>
#include <stddef.h>

static long guarded, plain;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void write_one(int which) {
  switch (which) {
    case 1: plain = 1; break;
    case 2:
      pthread_mutex_lock(&lock);
      guarded = 2;
      pthread_mutex_unlock(&lock);
      break;
    case 5: guarded = 0; break;
    default: break;
  }
}

static void pass_on(int which) { write_one(which); }

static void *first(void *arg) {
  pass_on(2);
  return arg;
}

static void *second(void *arg) {
  plain = 3;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
