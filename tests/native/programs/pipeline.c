// A pipeline of three stages with bounded queues, mutexes and condition variables.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPACITY 3

typedef struct {
  int items[CAPACITY];
  int head, count;
  pthread_mutex_t mutex;
  pthread_cond_t not_empty, not_full;
} queue;

static queue first = {.mutex = PTHREAD_MUTEX_INITIALIZER, .not_empty = PTHREAD_COND_INITIALIZER, .not_full = PTHREAD_COND_INITIALIZER};
static queue second;

static void put(queue *q, int v) {
  pthread_mutex_lock(&q->mutex);
  while (q->count == CAPACITY) pthread_cond_wait(&q->not_full, &q->mutex);
  q->items[(q->head + q->count++) % CAPACITY] = v;
  pthread_cond_signal(&q->not_empty);
  pthread_mutex_unlock(&q->mutex);
}

static int get(queue *q) {
  pthread_mutex_lock(&q->mutex);
  while (q->count == 0) pthread_cond_wait(&q->not_empty, &q->mutex);
  int v = q->items[q->head];
  q->head = (q->head + 1) % CAPACITY;
  q->count--;
  pthread_cond_signal(&q->not_full);
  pthread_mutex_unlock(&q->mutex);
  return v;
}

static void *produce(void *arg) {
  for (int i = 1; i <= *(int *)arg; i++) put(&first, i);
  put(&first, -1);
  return NULL;
}

static void *square(void *arg) {
  (void)arg;
  for (;;) {
    int v = get(&first);
    if (v < 0) break;
    put(&second, v * v);
  }
  put(&second, -1);
  return NULL;
}

int main(void) {
  pthread_mutex_init(&second.mutex, NULL);
  pthread_cond_init(&second.not_empty, NULL);
  pthread_cond_init(&second.not_full, NULL);
  int n = 12;
  pthread_t a, b;
  pthread_create(&a, NULL, produce, &n);
  pthread_create(&b, NULL, square, NULL);
  long sum = 0;
  for (int v; (v = get(&second)) >= 0;) {
    printf("%d ", v);
    sum += v;
  }
  printf("= %ld\n", sum);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_cond_destroy(&second.not_full);
  pthread_cond_destroy(&second.not_empty);
  pthread_mutex_destroy(&second.mutex);
  return (int)(sum & 0xff);
}
