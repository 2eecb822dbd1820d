// Another thread sets a limit between two looks at it.
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>

static void *sets(void *arg) {
  const struct rlimit limit = {64, 64};
  setrlimit(RLIMIT_NOFILE, &limit);
  return arg;
}

int main(void) {
  struct rlimit first, second;
  pthread_t t;
  pthread_create(&t, NULL, sets, NULL);
  getrlimit(RLIMIT_NOFILE, &first);
  getrlimit(RLIMIT_NOFILE, &second);
  assert(first.rlim_cur == second.rlim_cur);  // ERROR(assertion)!
  pthread_join(t, NULL);
  return 0;
}
