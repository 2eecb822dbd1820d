// Producer-consumer with a halt: consumers take from a buffer until it is halted and empty.
// Models:     the Java kernel producerconsumer of the thesis (its bug: an unprotected access to the state of the buffer).
//             A consumer that waits at a halted buffer gets no item, where the original throws an exception.
// Threads:    main, PRODUCERS producers, CONSUMERS consumers (7 threads in the thesis); the last producer halts the
//             buffer.
// Size:       87 lines in Java.
// Parameters: PRODUCERS, CONSUMERS, ITEMS (of each producer), SLOTS.
// Scaled:     -DPRODUCERS=3 -DCONSUMERS=4 -DITEMS=2
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef SLOTS
#define SLOTS 2
#endif

struct Buffer {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int slots[SLOTS];
  int first;
  int used;
  int producers_left;
  int halted;
};

static struct Buffer buffer = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0, PRODUCERS, 0};
static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;
static int consumed_items;

static void add(struct Buffer* b, int item) {
  pthread_mutex_lock(&b->lock);
  while (b->used == SLOTS) pthread_cond_wait(&b->changed, &b->lock);
  b->slots[(b->first + b->used) % SLOTS] = item;
  b->used++;
  pthread_cond_broadcast(&b->changed);
  pthread_mutex_unlock(&b->lock);
}

static void producer_ends(struct Buffer* b) {
  pthread_mutex_lock(&b->lock);
  b->producers_left--;
  if (b->producers_left == 0) {
    b->halted = 1;
    pthread_cond_broadcast(&b->changed);
  }
  pthread_mutex_unlock(&b->lock);
}

// 0: the buffer is halted.
static int take(struct Buffer* b) {
  pthread_mutex_lock(&b->lock);
  while (b->used == 0 && !b->halted) pthread_cond_wait(&b->changed, &b->lock);
  int item = 0;
  if (b->used > 0) {
    item = b->slots[b->first];
    b->first = (b->first + 1) % SLOTS;
    b->used--;
    pthread_cond_broadcast(&b->changed);
  }
  pthread_mutex_unlock(&b->lock);
  return item;
}

static void* produce(void* argument) {
  for (int i = 0; i < ITEMS; i++) add(&buffer, i + 1);
  producer_ends(&buffer);
  return argument;
}

static void* consume(void* argument) {
  int taken = 0;
  while (take(&buffer) != 0) taken++;
  pthread_mutex_lock(&sum_lock);
  consumed_items += taken;
  pthread_mutex_unlock(&sum_lock);
  return argument;
}

int main(void) {
  pthread_t producers[PRODUCERS];
  pthread_t consumers[CONSUMERS];
  for (int i = 0; i < PRODUCERS; i++) pthread_create(&producers[i], 0, produce, 0);
  for (int i = 0; i < CONSUMERS; i++) pthread_create(&consumers[i], 0, consume, 0);
  for (int i = 0; i < PRODUCERS; i++) pthread_join(producers[i], 0);
  for (int i = 0; i < CONSUMERS; i++) pthread_join(consumers[i], 0);
  assert(buffer.used == 0 && consumed_items == PRODUCERS * ITEMS);
  return 0;
}
