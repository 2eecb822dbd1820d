// VERDICT: clear
// What is set is what is asked for later; a thread begins with what its creator has.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

static void limits(void) {
  struct rlimit limit = {100, 200};
  assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  limit.rlim_cur = limit.rlim_max = 7;
  assert(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  assert(limit.rlim_cur == 100 && limit.rlim_max == 200);
  limit.rlim_cur = 300;
  assert(setrlimit(RLIMIT_NOFILE, &limit) == -1 && errno == EINVAL);
}

static void priorities(void) {
  assert(nice(3) == 3);
  assert(getpriority(PRIO_PROCESS, 0) == 3);
  assert(setpriority(PRIO_PROCESS, 0, 5) == 0);
  assert(getpriority(PRIO_PROCESS, 0) == 5);
}

static void processors(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  assert(sched_setaffinity(0, sizeof set, &set) == 0);
  CPU_ZERO(&set);
  assert(sched_getaffinity(0, sizeof set, &set) == 0);
  assert(CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set));
  assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_COUNT(&set) == 1);
  CPU_ZERO(&set);
  assert(sched_setaffinity(0, sizeof set, &set) == -1 && errno == EINVAL);
}

static void *inherits(void *arg) {
  int type = -1;
  cpu_set_t set;
  assert(getpriority(PRIO_PROCESS, 0) == 5);
  assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1);
  assert(nice(1) == 6);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type) == 0 && type == PTHREAD_CANCEL_DEFERRED);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type) == 0 && type == PTHREAD_CANCEL_ASYNCHRONOUS);
  assert(pthread_setcanceltype(7, NULL) == EINVAL);
  return arg;
}

int main(void) {
  pthread_t t;
  limits();
  priorities();
  processors();
  assert(pthread_setconcurrency(4) == 0 && pthread_getconcurrency() == 4);
  pthread_create(&t, NULL, inherits, NULL);
  assert(getpriority(PRIO_PROCESS, 0) == 5);
  pthread_join(t, NULL);
  return 0;
}
