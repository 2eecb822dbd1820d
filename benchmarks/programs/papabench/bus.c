#include "bus.h"

#include <assert.h>
#include <pthread.h>

// What both queues have: where the messages are, and what became of them.
struct Ring {
  int first;
  int used;
  int sent;
  int received;
  int dropped;
  int damaged;
};

struct RadioQueue {
  pthread_mutex_t lock;
  struct Ring ring;
  struct RadioMessage slots[BUS_SLOTS];
};

struct CommandQueue {
  pthread_mutex_t lock;
  struct Ring ring;
  struct CommandMessage slots[BUS_SLOTS];
};

static struct RadioQueue radio_queue = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct CommandQueue command_queue = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int ring_is_empty(const struct Ring* ring) { return ring->used == 0; }

static int ring_is_full(const struct Ring* ring) { return ring->used == BUS_SLOTS; }

static void ring_drop(struct Ring* ring) {
  ring->first = (ring->first + 1) % BUS_SLOTS;
  ring->used--;
}

// The slot of a new message.
static int ring_put(struct Ring* ring) {
  if (ring_is_full(ring)) {
    ring_drop(ring);
    ring->dropped++;
  }
  const int slot = (ring->first + ring->used) % BUS_SLOTS;
  ring->used++;
  ring->sent++;
  return slot;
}

static void ring_count(struct Ring* ring, int intact) {
  if (intact) {
    ring->received++;
  } else {
    ring->damaged++;
  }
}

static struct BusCounts counts_of(const struct Ring* ring) {
  assert(ring->sent == ring->received + ring->dropped + ring->damaged + ring->used);
  return (struct BusCounts){ring->sent, ring->received, ring->dropped, ring->damaged, ring->used};
}

void bus_send_radio(const struct RadioMessage* message) {
  struct RadioQueue* queue = &radio_queue;
  pthread_mutex_lock(&queue->lock);
  queue->slots[ring_put(&queue->ring)] = *message;
  pthread_mutex_unlock(&queue->lock);
}

int bus_receive_radio(struct RadioMessage* message) {
  struct RadioQueue* queue = &radio_queue;
  int intact = 0;
  pthread_mutex_lock(&queue->lock);
  if (!ring_is_empty(&queue->ring)) {
    *message = queue->slots[queue->ring.first];
    ring_drop(&queue->ring);
    intact = is_intact_radio_message(message);
    ring_count(&queue->ring, intact);
  }
  pthread_mutex_unlock(&queue->lock);
  return intact;
}

void bus_send_command(const struct CommandMessage* message) {
  struct CommandQueue* queue = &command_queue;
  pthread_mutex_lock(&queue->lock);
  queue->slots[ring_put(&queue->ring)] = *message;
  pthread_mutex_unlock(&queue->lock);
}

int bus_receive_command(struct CommandMessage* message) {
  struct CommandQueue* queue = &command_queue;
  int intact = 0;
  pthread_mutex_lock(&queue->lock);
  if (!ring_is_empty(&queue->ring)) {
    *message = queue->slots[queue->ring.first];
    ring_drop(&queue->ring);
    intact = is_intact_command_message(message);
    ring_count(&queue->ring, intact);
  }
  pthread_mutex_unlock(&queue->lock);
  return intact;
}

struct BusCounts bus_counts_of_radio(void) {
  pthread_mutex_lock(&radio_queue.lock);
  const struct BusCounts counts = counts_of(&radio_queue.ring);
  pthread_mutex_unlock(&radio_queue.lock);
  return counts;
}

struct BusCounts bus_counts_of_commands(void) {
  pthread_mutex_lock(&command_queue.lock);
  const struct BusCounts counts = counts_of(&command_queue.ring);
  pthread_mutex_unlock(&command_queue.lock);
  return counts;
}
