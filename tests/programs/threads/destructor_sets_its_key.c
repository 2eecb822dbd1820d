// A destructor that sets its key again is called in four rounds.
// VERDICT: clear
#include <assert.h>
#include <pthread.h>

static pthread_key_t key, other;
static int calls, others;

static void ends(void *value) {
  calls++;
  pthread_setspecific(key, value);
}

static void ends_other(void *value) {
  (void)value;
  others++;
}

static void *works(void *arg) {
  pthread_setspecific(key, &key);
  pthread_setspecific(other, &other);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, ends);
  pthread_key_create(&other, ends_other);
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  assert(calls == 4 && others == 1);
  return 0;
}
