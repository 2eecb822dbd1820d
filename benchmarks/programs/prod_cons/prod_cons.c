// Prod-Cons: a producer and a consumer share a bounded buffer.
// Models:     the Java program of the pairwise and the may-happen-before papers. One monitor guards the buffer; a
//             counter of used slots is its only condition.
// Threads:    main, 1 producer, 1 consumer.
// Size:       134 lines in Java.
// Parameters: ITEMS (4 in the papers), SLOTS (5 in the papers).
// Scaled:     -DITEMS=512
// State:      clear
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef ITEMS
#define ITEMS 4
#endif
#ifndef SLOTS
#define SLOTS 5
#endif

struct Item {
  int number;
  int payload;
};

struct Buffer {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct Item* slots[SLOTS];
  int first;
  int next;
  int usedSlots;
};

struct Totals {
  int items;
  int sum;
};

static struct Buffer buffer = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0, 0};
static struct Totals produced;
static struct Totals consumed;

static struct Item* make_item(int number) {
  struct Item* item = malloc(sizeof *item);
  if (!item) abort();
  item->number = number;
  item->payload = 10 * number + 1;
  return item;
}

static void buffer_put(struct Buffer* b, struct Item* item) {
  pthread_mutex_lock(&b->lock);
  while (b->usedSlots == SLOTS) pthread_cond_wait(&b->changed, &b->lock);
  b->slots[b->next] = item;
  b->next = (b->next + 1) % SLOTS;
  b->usedSlots++;
  pthread_cond_broadcast(&b->changed);
  pthread_mutex_unlock(&b->lock);
}

static struct Item* buffer_get(struct Buffer* b) {
  pthread_mutex_lock(&b->lock);
  while (b->usedSlots == 0) pthread_cond_wait(&b->changed, &b->lock);
  struct Item* item = b->slots[b->first];
  b->slots[b->first] = 0;
  b->first = (b->first + 1) % SLOTS;
  b->usedSlots--;
  pthread_cond_broadcast(&b->changed);
  pthread_mutex_unlock(&b->lock);
  return item;
}

static void count(struct Totals* totals, const struct Item* item) {
  totals->items++;
  totals->sum += item->payload;
}

static void* producer(void* argument) {
  struct Buffer* b = argument;
  for (int i = 0; i < ITEMS; i++) {
    struct Item* item = make_item(i);
    count(&produced, item);
    buffer_put(b, item);
  }
  return 0;
}

static void* consumer(void* argument) {
  struct Buffer* b = argument;
  for (int i = 0; i < ITEMS; i++) {
    struct Item* item = buffer_get(b);
    assert(item);
    assert(item->number == i);
    count(&consumed, item);
    free(item);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, producer, &buffer);
  pthread_create(&threads[1], 0, consumer, &buffer);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(buffer.usedSlots == 0);
  assert(produced.items == consumed.items);
  assert(produced.sum == consumed.sum);
  return 0;
}
