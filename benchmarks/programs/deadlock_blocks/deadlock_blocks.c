// Deadlock by blocks: two threads nest the critical sections of two locks.
// Models:     the Java kernel deadlock.d2 of the thesis (its bug: the threads nest them in opposite orders). The mended
//             form: both take the lock of the state first.
// Threads:    main, 1 writer, 1 reader, ROUNDS rounds each.
// Size:       24 lines in Java.
// Parameters: ROUNDS.
// Scaled:     -DROUNDS=60
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static int state;
static int writes;
static int reads;

static void* write_state(void* argument) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&state_lock);
    state = i + 1;
    pthread_mutex_lock(&count_lock);
    writes++;
    pthread_mutex_unlock(&count_lock);
    pthread_mutex_unlock(&state_lock);
  }
  return argument;
}

static void* read_state(void* argument) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&state_lock);
    pthread_mutex_lock(&count_lock);
    assert(state == writes);
    reads++;
    pthread_mutex_unlock(&count_lock);
    pthread_mutex_unlock(&state_lock);
  }
  return argument;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, 0, write_state, 0);
  pthread_create(&reader, 0, read_state, 0);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
  assert(writes == ROUNDS && reads == ROUNDS);
  return 0;
}
