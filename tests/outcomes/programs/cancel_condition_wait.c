// Wherever the request finds the thread, the handler runs: at the wait before it begins, in it, or never if the thread
// sees the flag first. Then it continues, or ends in a printf, which may be a cancellation point: its own, or that of
// the destructor of its key. In a handler after a cancelled wait the mutex is held, so unlocking it is right.
// OUTCOME: exit 0, prints "hkC"
// OUTCOME: exit 0, prints "gkN"
// OUTCOME: exit 0, prints "kC"
// OUTCOME: exit 0, prints "gC"
// GRAPHS END: an operation that has no place in execution graphs
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static int go;

static void handler(void* p) {
  printf("h");
  pthread_mutex_unlock(p);
}

static void key_ends(void* p) { printf("%s", (const char*)p); }

static void* wait(void* p) {
  pthread_setspecific(key, "k");
  pthread_mutex_lock(&m);
  pthread_cleanup_push(handler, &m);
  while (!go) pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(0);
  printf("g");
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t;
  void* result;
  pthread_key_create(&key, key_ends);
  pthread_create(&t, 0, wait, 0);
  pthread_cancel(t);
  pthread_mutex_lock(&m);
  go = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, &result);
  printf(result == PTHREAD_CANCELED ? "C" : "N");
  return 0;
}
