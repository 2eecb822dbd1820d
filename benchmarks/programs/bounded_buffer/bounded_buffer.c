// Bounded buffer: producers and consumers wait for one condition variable.
// Models:     the Java program boundedbuffer of the thesis (its bug: notify instead of notifyAll wakes a thread of the
//             wrong kind). The mended form: all are woken.
// Threads:    main, PRODUCERS producers and CONSUMERS consumers (8 threads in the thesis).
// Size:       65 lines in Java.
// Parameters: PRODUCERS, CONSUMERS, ITEMS (per producer; PRODUCERS * ITEMS is a multiple of CONSUMERS), SLOTS.
// Scaled:     -DPRODUCERS=3 -DCONSUMERS=3 -DITEMS=4 -DSLOTS=2
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
#ifndef SLOTS
#define SLOTS 1
#endif

struct Buffer {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int slots[SLOTS];
  int first;
  int used;
};

static struct Buffer buffer = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0};

static void put(struct Buffer* b, int item) {
  pthread_mutex_lock(&b->lock);
  while (b->used == SLOTS) pthread_cond_wait(&b->changed, &b->lock);
  b->slots[(b->first + b->used) % SLOTS] = item;
  b->used++;
  pthread_cond_broadcast(&b->changed);
  pthread_mutex_unlock(&b->lock);
}

static int get(struct Buffer* b) {
  pthread_mutex_lock(&b->lock);
  while (b->used == 0) pthread_cond_wait(&b->changed, &b->lock);
  assert(b->used > 0);
  int item = b->slots[b->first];
  b->first = (b->first + 1) % SLOTS;
  b->used--;
  pthread_cond_broadcast(&b->changed);
  pthread_mutex_unlock(&b->lock);
  return item;
}

static void* produce(void* argument) {
  for (int i = 0; i < ITEMS; i++) put(&buffer, 1 + i);
  return argument;
}

static void* consume(void* argument) {
  for (int i = 0; i < PRODUCERS * ITEMS / CONSUMERS; i++) {
    int item = get(&buffer);
    assert(item >= 1 && item <= ITEMS);
  }
  return argument;
}

int main(void) {
  pthread_t threads[PRODUCERS + CONSUMERS];
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) {
    pthread_create(&threads[i], 0, i < PRODUCERS ? produce : consume, 0);
  }
  for (int i = 0; i < PRODUCERS + CONSUMERS; i++) pthread_join(threads[i], 0);
  assert(buffer.used == 0);
  return 0;
}
