// pthread_exit runs the handlers, newest first, then the destructors of keys, and hands on its value.
// OUTCOME: exit 0, prints "21k5"
#include <pthread.h>
#include <stdio.h>

static pthread_key_t key;

static void handler(void* p) { printf("%s", (const char*)p); }

static void leave(void) {
  pthread_cleanup_push(handler, "2");
  pthread_exit((void*)5);
  pthread_cleanup_pop(0);
}

static void* work(void* p) {
  pthread_setspecific(key, "k");
  pthread_cleanup_push(handler, "0");
  pthread_cleanup_pop(0);
  pthread_cleanup_push(handler, "1");
  leave();
  pthread_cleanup_pop(1);
  return p;
}

int main(void) {
  pthread_t t;
  void* result;
  pthread_key_create(&key, handler);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, &result);
  printf("%ld", (long)result);
  return 0;
}
