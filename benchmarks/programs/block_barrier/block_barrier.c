// Block barrier: threads wait until a coordinator releases all that are blocked.
// Models:     the Java kernel blockbarrier of the thesis (its bug: a thread barges into the next round before the ones
//             that were released have left). The mended form: the round has a number.
// Threads:    main, THREADS threads (4 in the thesis).
// Size:       120 lines in Java.
// Parameters: THREADS, ROUNDS.
// Scaled:     -DTHREADS=8 -DROUNDS=3
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

struct Barrier {
  pthread_mutex_t lock;
  pthread_cond_t released;
  int blocked;
  int round;
};

static struct Barrier barrier = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};

// Returns the round in which the thread was released.
static int block(struct Barrier* b) {
  pthread_mutex_lock(&b->lock);
  const int own = b->round;
  b->blocked++;
  if (b->blocked == THREADS) {
    b->blocked = 0;
    b->round++;
    pthread_cond_broadcast(&b->released);
  }
  while (b->round == own) pthread_cond_wait(&b->released, &b->lock);
  const int round = b->round;
  pthread_mutex_unlock(&b->lock);
  return round;
}

static void* run(void* argument) {
  for (int i = 0; i < ROUNDS; i++) {
    int round = block(&barrier);
    assert(round == i + 1);
  }
  return argument;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  assert(barrier.blocked == 0 && barrier.round == ROUNDS);
  return 0;
}
