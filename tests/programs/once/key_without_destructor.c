// Nobody frees the thread-specific data.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *worker(void *arg) {
  pthread_setspecific(key, malloc(8));  // ERROR(leak)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  pthread_key_delete(key);
  return 0;
}
