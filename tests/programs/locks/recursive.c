// VERDICT: clear
// A recursive mutex may be taken twice and protects until the last unlock.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m;
static int value;

static void add(int n) {
  pthread_mutex_lock(&m);
  value += n;
  pthread_mutex_unlock(&m);
}

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  int before = value;
  add(1);
  add(1);
  assert(value == before + 2);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(value == 4);
  pthread_mutex_destroy(&m);
  return 0;
}
