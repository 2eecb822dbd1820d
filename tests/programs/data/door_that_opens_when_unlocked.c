// A state machine: no sequence of three events opens a locked door.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

enum state { LOCKED, CLOSED, OPEN };
static enum state door = LOCKED;
static int opened_when_locked;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *events(void *unused) {
  for (int i = 0; i < 2; ++i) {
    const unsigned event = __VERIFIER_nondet_uint();
    pthread_mutex_lock(&guard);
    const enum state before = door;
    switch (event) {
      case 1: if (door == LOCKED) door = CLOSED; break;
      case 2: if (door == CLOSED) door = OPEN; break;
      case 3: if (door == CLOSED) door = LOCKED; break;
      default: break;
    }
    if (before == LOCKED && door == OPEN) opened_when_locked = 1;
    pthread_mutex_unlock(&guard);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, events, 0);
  pthread_mutex_lock(&guard);
  assert(!opened_when_locked);
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  assert(!opened_when_locked);
  return 0;
}
