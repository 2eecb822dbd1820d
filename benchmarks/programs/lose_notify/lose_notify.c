// Lost notification: threads wait until another one has made a result.
// Models:     the Java kernel losenotify of the thesis (its bug: the notification can come before the wait). The mended
//             form: the monitor remembers the result, and a waiting thread looks first.
// Threads:    main, 1 maker, WAITERS threads that wait (1 in the thesis).
// Size:       41 lines in Java.
// Parameters: WAITERS.
// Scaled:     -DWAITERS=9
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef WAITERS
#define WAITERS 1
#endif

struct Result {
  pthread_mutex_t lock;
  pthread_cond_t made;
  int ready;
  int value;
  int takers;
};

static struct Result result = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};

static void* make(void* argument) {
  struct Result* r = argument;
  int value = 0;
  for (int i = 1; i <= 8; i++) value += i;
  pthread_mutex_lock(&r->lock);
  r->value = value;
  r->ready = 1;
  pthread_cond_broadcast(&r->made);
  pthread_mutex_unlock(&r->lock);
  return 0;
}

static void* await(void* argument) {
  struct Result* r = argument;
  pthread_mutex_lock(&r->lock);
  while (!r->ready) pthread_cond_wait(&r->made, &r->lock);
  assert(r->value == 36);
  r->takers++;
  pthread_mutex_unlock(&r->lock);
  return 0;
}

int main(void) {
  pthread_t maker;
  pthread_t waiters[WAITERS];
  for (int i = 0; i < WAITERS; i++) pthread_create(&waiters[i], 0, await, &result);
  pthread_create(&maker, 0, make, &result);
  pthread_join(maker, 0);
  for (int i = 0; i < WAITERS; i++) pthread_join(waiters[i], 0);
  assert(result.takers == WAITERS);
  return 0;
}
