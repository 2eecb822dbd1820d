#include "queue.h"

#include <stdlib.h>

bool queue_init(struct queue *queue, int capacity) {
  queue->slots = calloc((size_t)capacity, sizeof *queue->slots);
  if (!queue->slots) return false;
  queue->capacity = capacity;
  queue->head = queue->count = 0;
  queue->closed = false;
  pthread_mutex_init(&queue->lock, NULL);
  pthread_cond_init(&queue->not_empty, NULL);
  pthread_cond_init(&queue->not_full, NULL);
  return true;
}

void queue_destroy(struct queue *queue) {
  pthread_cond_destroy(&queue->not_full);
  pthread_cond_destroy(&queue->not_empty);
  pthread_mutex_destroy(&queue->lock);
  free(queue->slots);
}

// The caller holds the lock, and may lose it for a while.
static bool append(struct queue *queue, const struct job *job) {
  while (queue->count == queue->capacity && !queue->closed) pthread_cond_wait(&queue->not_full, &queue->lock);
  if (queue->closed) return false;
  int tail = (queue->head + queue->count) % queue->capacity;
  queue->slots[tail] = job;
  queue->count++;
  pthread_cond_signal(&queue->not_empty);
  return true;
}

bool queue_put(struct queue *queue, const struct job *job) {
  pthread_mutex_lock(&queue->lock);
  bool taken = append(queue, job);
  pthread_mutex_unlock(&queue->lock);
  return taken;
}

int queue_put_all(struct queue *queue, const struct job *jobs, int count) {
  int taken = 0;
  pthread_mutex_lock(&queue->lock);
  while (taken < count && append(queue, &jobs[taken])) taken++;
  pthread_mutex_unlock(&queue->lock);
  return taken;
}

const struct job *queue_take(struct queue *queue) {
  const struct job *job = NULL;
  pthread_mutex_lock(&queue->lock);
  while (queue->count == 0 && !queue->closed) pthread_cond_wait(&queue->not_empty, &queue->lock);
  if (queue->count > 0) {
    job = queue->slots[queue->head];
    queue->head = (queue->head + 1) % queue->capacity;
    queue->count--;
    pthread_cond_signal(&queue->not_full);
  }
  pthread_mutex_unlock(&queue->lock);
  return job;
}

void queue_close(struct queue *queue) {
  pthread_mutex_lock(&queue->lock);
  queue->closed = true;
  pthread_cond_broadcast(&queue->not_empty);
  pthread_cond_broadcast(&queue->not_full);
  pthread_mutex_unlock(&queue->lock);
}
