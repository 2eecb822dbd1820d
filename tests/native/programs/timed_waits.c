// Timed operations whose outcome does not depend on time: a condition that nobody signals, a mutex that is free.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += 1000000;
  if (t.tv_nsec >= 1000000000) {
    t.tv_nsec -= 1000000000;
    t.tv_sec++;
  }
  return t;
}

int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  struct timespec t = soon();
  pthread_mutex_lock(&m);
  int r;
  do r = pthread_cond_timedwait(&c, &m, &t);
  while (r == 0);
  pthread_mutex_unlock(&m);
  printf("%d\n", r == ETIMEDOUT);
  sem_t s;
  sem_init(&s, 0, 0);
  t = soon();
  while ((r = sem_timedwait(&s, &t)) == -1 && errno == EINTR) {}
  printf("%d %d\n", r, errno == ETIMEDOUT);
  sem_destroy(&s);
  struct timespec pause = {0, 1000};
  printf("%d\n", nanosleep(&pause, NULL));
  pthread_cond_destroy(&c);
  pthread_mutex_destroy(&m);
  return 0;
}
