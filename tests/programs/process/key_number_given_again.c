// The number of a deleted key is given to the next one, so that who still has it meets another key.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int value;

static void *exchanges(void *arg) {
  pthread_key_t other;
  pthread_key_delete(key);
  pthread_key_create(&other, NULL);
  assert(other == key);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, NULL);
  pthread_create(&t, NULL, exchanges, NULL);
  int refused = pthread_setspecific(key, &value);
  pthread_join(t, NULL);
  void *kept = pthread_getspecific(key);
  assert(refused || kept == &value);  // ERROR(assertion)!
  return 0;
}
