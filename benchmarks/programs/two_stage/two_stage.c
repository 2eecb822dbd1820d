// Two-stage access: a value and its copy are guarded by two locks.
// Models:     the Java kernel twostage of the thesis (its bug: the two stages are two critical sections, and a reader
//             comes between them). The mended form: the second stage is within the first.
// Threads:    main, 1 writer, READERS readers (2 threads in the thesis).
// Size:       52 lines in Java.
// Parameters: READERS.
// Scaled:     -DREADERS=9
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef READERS
#define READERS 1
#endif

struct Stage {
  pthread_mutex_t lock;
  int value;
};

static struct Stage first = {PTHREAD_MUTEX_INITIALIZER, 0};
static struct Stage second = {PTHREAD_MUTEX_INITIALIZER, 1};

static void* write_both(void* argument) {
  (void)argument;
  pthread_mutex_lock(&first.lock);
  first.value = 1;
  pthread_mutex_lock(&second.lock);
  second.value = first.value + 1;
  pthread_mutex_unlock(&second.lock);
  pthread_mutex_unlock(&first.lock);
  return 0;
}

static void* read_both(void* argument) {
  (void)argument;
  pthread_mutex_lock(&first.lock);
  int seen = first.value;
  pthread_mutex_lock(&second.lock);
  int copy = second.value;
  pthread_mutex_unlock(&second.lock);
  pthread_mutex_unlock(&first.lock);
  assert(copy == seen + 1);
  return 0;
}

int main(void) {
  pthread_t writer;
  pthread_t readers[READERS];
  pthread_create(&writer, 0, write_both, 0);
  for (int i = 0; i < READERS; i++) pthread_create(&readers[i], 0, read_both, 0);
  pthread_join(writer, 0);
  for (int i = 0; i < READERS; i++) pthread_join(readers[i], 0);
  return 0;
}
