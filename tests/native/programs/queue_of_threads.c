// Threads that hand a token around, a read-mostly table behind atomics, and results collected by index.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, ROUNDS = 2 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond[THREADS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static int token;
static atomic_int ready, published[4];

static void *ring(void *arg) {
  int me = (int)(long)arg;
  for (int r = 0; r < ROUNDS; r++) {
    pthread_mutex_lock(&mutex);
    while (token % THREADS != me) pthread_cond_wait(&cond[me], &mutex);
    printf("thread %d has token %d\n", me, token);
    token++;
    pthread_cond_signal(&cond[(me + 1) % THREADS]);
    pthread_mutex_unlock(&mutex);
  }
  return malloc((size_t)me + 1);
}

static void *publisher(void *arg) {
  (void)arg;
  for (int i = 0; i < 4; i++) atomic_store_explicit(&published[i], i * i + 1, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_release);
  return NULL;
}

static void *consumer(void *arg) {
  long sum = 0;
  while (!atomic_load_explicit(&ready, memory_order_acquire)) sched_yield();
  for (int i = 0; i < 4; i++) sum += atomic_load_explicit(&published[i], memory_order_relaxed);
  *(long *)arg = sum;
  return arg;
}

static void *detached(void *arg) {
  atomic_fetch_add((atomic_int *)arg, 10);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS], p, c, d;
  for (long i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, ring, (void *)i);
  for (int i = 0; i < THREADS; i++) {
    void *block;
    pthread_join(t[i], &block);
    free(block);
  }
  long sum = 0;
  void *same;
  pthread_create(&c, NULL, consumer, &sum);
  pthread_create(&p, NULL, publisher, NULL);
  pthread_join(p, NULL);
  pthread_join(c, &same);
  printf("%d %ld %d\n", token, sum, same == &sum);
  static atomic_int counter;
  pthread_create(&d, NULL, detached, &counter);
  pthread_detach(d);
  while (atomic_load(&counter) < 10) sched_yield();
  printf("%d\n", counter);
  return token;
}
