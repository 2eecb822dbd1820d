// Nested monitor: a buffer guards itself, and uses semaphores made of monitors.
// Models:     the Java kernel nestedmonitor of the thesis (its bug: a thread waits in the inner monitor and keeps the
//             outer one, which the thread that could wake it needs). The mended form: it waits before it enters.
// Threads:    main, 1 producer, 1 consumer.
// Size:       53 lines in Java.
// Parameters: ITEMS.
// Scaled:     -DITEMS=4000
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef ITEMS
#define ITEMS 3
#endif

struct Semaphore {
  pthread_mutex_t lock;
  pthread_cond_t risen;
  int value;
};

static struct Semaphore full = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
static struct Semaphore empty = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 1};
static pthread_mutex_t buffer_lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer;

static void up(struct Semaphore* semaphore) {
  pthread_mutex_lock(&semaphore->lock);
  semaphore->value++;
  pthread_cond_signal(&semaphore->risen);
  pthread_mutex_unlock(&semaphore->lock);
}

static void down(struct Semaphore* semaphore) {
  pthread_mutex_lock(&semaphore->lock);
  while (semaphore->value == 0) pthread_cond_wait(&semaphore->risen, &semaphore->lock);
  semaphore->value--;
  pthread_mutex_unlock(&semaphore->lock);
}

static void put(int item) {
  down(&empty);
  pthread_mutex_lock(&buffer_lock);
  buffer = item;
  pthread_mutex_unlock(&buffer_lock);
  up(&full);
}

static int get(void) {
  down(&full);
  pthread_mutex_lock(&buffer_lock);
  int item = buffer;
  pthread_mutex_unlock(&buffer_lock);
  up(&empty);
  return item;
}

static void* produce(void* argument) {
  for (int i = 0; i < ITEMS; i++) put(i);
  return argument;
}

static void* consume(void* argument) {
  for (int i = 0; i < ITEMS; i++) {
    int item = get();
    assert(item == i);
  }
  return argument;
}

int main(void) {
  pthread_t producer;
  pthread_t consumer;
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  return 0;
}
