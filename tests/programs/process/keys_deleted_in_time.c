// Keys that are deleted when no thread uses them any more: values are null, no destructor runs, numbers come again.
// VERDICT: clear
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key, kept;
static int value, destroyed;

static void destroy(void *at) { ++*(int *)at; }

static void *uses(void *arg) {
  assert(pthread_setspecific(key, &value) == 0 && pthread_getspecific(key) == &value);
  assert(pthread_setspecific(kept, &destroyed) == 0);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_key_t next;
  pthread_key_create(&key, NULL);
  pthread_key_create(&kept, destroy);
  pthread_create(&t, NULL, uses, NULL);
  pthread_join(t, NULL);
  assert(destroyed == 1);
  assert(pthread_setspecific(key, &value) == 0);
  assert(pthread_key_delete(key) == 0 && pthread_key_delete(key) == EINVAL);
  assert(pthread_getspecific(key) == NULL && pthread_setspecific(key, &value) == EINVAL);
  assert(pthread_key_create(&next, destroy) == 0 && next == key && pthread_getspecific(next) == NULL);
  pthread_setspecific(next, &destroyed);
  pthread_key_delete(next);
  pthread_key_delete(kept);
  return 0;
}
