// A key is deleted while a thread still uses it: its values are gone, and none can be set.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static int value;

static void *uses(void *arg) {
  pthread_setspecific(key, &value);
  assert(pthread_getspecific(key) == &value);  // ERROR(assertion)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, NULL);
  pthread_create(&t, NULL, uses, NULL);
  pthread_key_delete(key);
  pthread_join(t, NULL);
  return 0;
}
