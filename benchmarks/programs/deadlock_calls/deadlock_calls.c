// Deadlock by calls: two objects whose synchronized methods call each other.
// Models:     the Java kernel deadlock.d1 of the thesis (its bug: each object calls the other one while its own lock is
//             held). The mended form: an object gives its lock back before it calls the other.
// Threads:    main, 2 callers, CALLS calls each.
// Size:       24 lines in Java.
// Parameters: CALLS.
// Scaled:     -DCALLS=60
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef CALLS
#define CALLS 2
#endif

struct Object {
  pthread_mutex_t lock;
  struct Object* other;
  int begun;
  int completed;
};

static struct Object left = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};
static struct Object right = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};

static void complete(struct Object* self) {
  pthread_mutex_lock(&self->lock);
  self->completed++;
  pthread_mutex_unlock(&self->lock);
}

static void begin(struct Object* self) {
  pthread_mutex_lock(&self->lock);
  self->begun++;
  pthread_mutex_unlock(&self->lock);
  complete(self->other);
}

static void* call(void* argument) {
  for (int i = 0; i < CALLS; i++) begin(argument);
  return 0;
}

int main(void) {
  pthread_t first, second;
  left.other = &right;
  right.other = &left;
  pthread_create(&first, 0, call, &left);
  pthread_create(&second, 0, call, &right);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(left.begun == CALLS && left.completed == CALLS);
  assert(right.begun == CALLS && right.completed == CALLS);
  return 0;
}
