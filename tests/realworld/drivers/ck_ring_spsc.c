/* A producer and a consumer, a ring of two places. */
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

static ck_ring_t ring;
static ck_ring_buffer_t places[2];
static int values[2];

static void* produce(void* unused) {
  for (int n = 0; n < 2; ++n) {
    values[n] = n + 1;
    while (!ck_ring_enqueue_spsc(&ring, places, &values[n])) {}
  }
  return unused;
}

int main(void) {
  pthread_t producer;
  void* found;
  ck_ring_init(&ring, 2);
  pthread_create(&producer, NULL, produce, NULL);
  for (int n = 1; n <= 2; ++n) {
    while (!ck_ring_dequeue_spsc(&ring, places, &found)) {}
    assert(*(int*)found == n);
  }
  pthread_join(producer, NULL);
  return 0;
}
