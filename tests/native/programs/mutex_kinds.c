// Mutex kinds: normal, recursive, error checking; what each returns.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void *try_lock(void *p) {
  pthread_mutex_t *m = p;
  int r = pthread_mutex_trylock(m);
  if (r == 0) pthread_mutex_unlock(m);
  return (void *)(long)r;
}

static int from_other(pthread_mutex_t *m) {
  pthread_t t;
  void *r;
  pthread_create(&t, NULL, try_lock, m);
  pthread_join(t, &r);
  return (int)(long)r;
}

int main(void) {
  pthread_mutexattr_t attr;
  pthread_mutex_t recursive, checking, normal = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &attr);
  int kind = -1;
  pthread_mutexattr_gettype(&attr, &kind);
  printf("%d\n", kind == PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutexattr_destroy(&attr);

  printf("%s\n", strerror(from_other(&normal)));
  pthread_mutex_lock(&normal);
  printf("%s\n", strerror(from_other(&normal)));
  printf("%s\n", strerror(pthread_mutex_trylock(&normal)));
  pthread_mutex_unlock(&normal);

  pthread_mutex_lock(&recursive);
  printf("%d %d\n", pthread_mutex_lock(&recursive), pthread_mutex_trylock(&recursive));
  pthread_mutex_unlock(&recursive);
  printf("%s\n", strerror(from_other(&recursive)));
  pthread_mutex_unlock(&recursive);
  pthread_mutex_unlock(&recursive);
  printf("%s\n", strerror(from_other(&recursive)));

  pthread_mutex_destroy(&recursive);
  pthread_mutex_destroy(&checking);
  pthread_mutex_destroy(&normal);
  return 0;
}
