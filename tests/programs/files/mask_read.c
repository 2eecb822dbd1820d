// Each gets the mask that the other has set, or not.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>

static void *sets(void *arg) {
  umask(077);
  return arg;
}

int main(void) {
  pthread_t t;
  umask(022);
  pthread_create(&t, NULL, sets, NULL);
  mode_t old = umask(0);
  pthread_join(t, NULL);
  assert(old == 022);  // ERROR(assertion)!
  return 0;
}
