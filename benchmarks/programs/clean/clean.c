// Clean: two tasks start each other by events, round after round.
// Models:     the Java kernel clean of the thesis (its bug: a task compares the number of signals outside the monitor, so
//             it can sleep after the last one). The mended form: the comparison is in the monitor.
// Threads:    main, 2 tasks, ROUNDS rounds each (the original runs for ever).
// Size:       51 lines in Java.
// Parameters: ROUNDS.
// Scaled:     -DROUNDS=200
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

struct Event {
  pthread_mutex_t lock;
  pthread_cond_t signalled;
  int count;
};

#define EVENT {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}
static struct Event first_event = EVENT;
static struct Event second_event = EVENT;
static int rounds_of_first;
static int rounds_of_second;

// Returns the number of signals, which is not `seen` any more.
static int wait_for(struct Event* event, int seen) {
  pthread_mutex_lock(&event->lock);
  while (event->count == seen) pthread_cond_wait(&event->signalled, &event->lock);
  int count = event->count;
  pthread_mutex_unlock(&event->lock);
  return count;
}

static void signal_once(struct Event* event) {
  pthread_mutex_lock(&event->lock);
  event->count++;
  pthread_cond_broadcast(&event->signalled);
  pthread_mutex_unlock(&event->lock);
}

static void* first_task(void* argument) {
  int seen = 0;
  for (int round = 0; round < ROUNDS; round++) {
    signal_once(&second_event);
    seen = wait_for(&first_event, seen);
    rounds_of_first++;
  }
  return argument;
}

static void* second_task(void* argument) {
  int seen = 0;
  for (int round = 0; round < ROUNDS; round++) {
    seen = wait_for(&second_event, seen);
    rounds_of_second++;
    signal_once(&first_event);
  }
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, first_task, 0);
  pthread_create(&second, 0, second_task, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(rounds_of_first == ROUNDS && rounds_of_second == ROUNDS);
  return 0;
}
