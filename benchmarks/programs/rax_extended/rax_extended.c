// RAX Extended: a planner and an executive wake each other by events, a third thread diagnoses.
// Models:     the core of the Remote Agent that stopped on Deep Space 1, as in the CTC collection and all three papers.
//             An event is a monitor with a counter modulo 2. The mended form: the counter is compared in the monitor.
// Threads:    main, planner, executive, diagnosis; ROUNDS rounds each (the original has none, so it runs for ever).
// Size:       144 lines in Java.
// Parameters: ROUNDS.
// Scaled:     -DROUNDS=4000
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
  int waiting;
};

struct Diagnosis {
  int planner_seen;
  int executive_seen;
};

#define EVENT {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0}
static struct Event plan_wanted = EVENT;
static struct Event plan_ready = EVENT;
static struct Event plan_done = EVENT;
static struct Diagnosis diagnosis;
static int plan;

// Returns the new count. The caller gives the count that it has seen; the event may have come since.
static int event_wait_for_change(struct Event* event, int seen) {
  pthread_mutex_lock(&event->lock);
  event->waiting++;
  while (event->count == seen) pthread_cond_wait(&event->signalled, &event->lock);
  event->waiting--;
  int count = event->count;
  pthread_mutex_unlock(&event->lock);
  return count;
}

static void event_signal(struct Event* event) {
  pthread_mutex_lock(&event->lock);
  event->count = (event->count + 1) % 2;
  pthread_cond_broadcast(&event->signalled);
  pthread_mutex_unlock(&event->lock);
}

static void* planner(void* argument) {
  (void)argument;
  int seen = 0;
  for (int round = 0; round < ROUNDS; round++) {
    seen = event_wait_for_change(&plan_wanted, seen);
    plan = 100 + round;
    event_signal(&plan_ready);
  }
  return 0;
}

static void* executive(void* argument) {
  (void)argument;
  int seen = 0;
  int done_seen = 0;
  for (int round = 0; round < ROUNDS; round++) {
    event_signal(&plan_wanted);
    seen = event_wait_for_change(&plan_ready, seen);
    assert(plan == 100 + round);
    done_seen = event_wait_for_change(&plan_done, done_seen);
  }
  return 0;
}

static void* diagnose(void* argument) {
  (void)argument;
  int seen = 0;
  for (int round = 0; round < ROUNDS; round++) {
    seen = event_wait_for_change(&plan_ready, seen);
    diagnosis.planner_seen++;
    diagnosis.executive_seen += plan == 100 + round;
    event_signal(&plan_done);
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, planner, 0);
  pthread_create(&threads[1], 0, executive, 0);
  pthread_create(&threads[2], 0, diagnose, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(diagnosis.planner_seen == ROUNDS);
  assert(diagnosis.executive_seen == ROUNDS);
  assert(!plan_wanted.waiting && !plan_ready.waiting && !plan_done.waiting);
  return 0;
}
