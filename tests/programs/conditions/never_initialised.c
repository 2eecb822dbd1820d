// The mutex in the block is initialised, the condition variable is forgotten.
#include <pthread.h>
#include <stdlib.h>

struct queue {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  int count;
};

static void *puts_one(void *arg) {
  struct queue *queue = arg;
  pthread_mutex_lock(&queue->lock);
  queue->count = 1;
  pthread_cond_signal(&queue->filled);  // ERROR(lock-misuse)!
  pthread_mutex_unlock(&queue->lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct queue *queue = malloc(sizeof *queue);
  if (queue == NULL) return 1;
  pthread_mutex_init(&queue->lock, NULL);
  queue->count = 0;
  pthread_create(&thread, NULL, puts_one, queue);
  pthread_mutex_lock(&queue->lock);
  while (queue->count == 0) pthread_cond_wait(&queue->filled, &queue->lock);  // ERROR(lock-misuse)?
  pthread_mutex_unlock(&queue->lock);
  pthread_join(thread, NULL);
  free(queue);
  return 0;
}
