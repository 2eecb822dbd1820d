// VERDICT: clear
// What calls of the system say of arguments that they do not take.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call, error)                \
  do {                                    \
    errno = 0;                            \
    assert((long)(call) == -1);           \
    assert(errno == (error));             \
  } while (0)

static void descriptors(void) {
  struct statvfs about;
  int ends[2];
  FAILS(statvfs("/nowhere/at/all", &about), ENOENT);
  FAILS(pipe2(ends, -1), EINVAL);
  FAILS(eventfd(0, -1), EINVAL);
  FAILS(memfd_create("x", -1), EINVAL);
  FAILS(timerfd_create(9999, 0), EINVAL);
  FAILS(timerfd_create(CLOCK_MONOTONIC, -1), EINVAL);
}

static void times(void) {
  timer_t id;
  struct timespec precision, negative = {-1, 0}, too_many = {0, 1000000000};
  FAILS(timer_create(9999, NULL, &id), EINVAL);
  FAILS(clock_getres(9999, &precision), EINVAL);
  FAILS(nanosleep(&negative, NULL), EINVAL);
  FAILS(nanosleep(&too_many, NULL), EINVAL);
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &negative, NULL) == EINVAL);
  assert(thrd_sleep(&negative, NULL) == -2);
  FAILS((int)ualarm(9999999, 0), EINVAL);
}

static void environment(void) {
  FAILS(unsetenv(""), EINVAL);
  FAILS(unsetenv("a=b"), EINVAL);
  errno = 0;
  assert(putenv("") == 0 && errno == EINVAL);
}

static void memory(void) {
  unsigned char byte[300];
  FAILS(mlock((void *)1, 1), ENOMEM);
  FAILS(munlock((void *)1, 1), ENOMEM);
  FAILS(msync((void *)1, 1, 0), EINVAL);
  FAILS(getrandom(byte, 1, 999), EINVAL);
  FAILS(getentropy(byte, 300), EIO);
}

static void process(void) {
  struct rlimit limit = {0, 0};
  FAILS(setrlimit(99, &limit), EINVAL);
  FAILS(getrlimit(99, &limit), EINVAL);
  FAILS(setpriority(99, 0, 0), EINVAL);
  FAILS(getpriority(99, 0), EINVAL);
  FAILS(getpriority(PRIO_PROCESS, 999999999), ESRCH);
  FAILS(getgroups(-1, NULL), EINVAL);
  FAILS(sched_get_priority_max(99), EINVAL);
  FAILS(sched_get_priority_min(99), EINVAL);
  FAILS(getsid(999999999), ESRCH);
  FAILS(getpgid(999999999), ESRCH);
  FAILS(setpgid(-1, 0), EINVAL);
}

static void *asks(void *arg) {
  descriptors();
  times();
  environment();
  memory();
  process();
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, asks, NULL);
  pthread_join(t, NULL);
  return 0;
}
