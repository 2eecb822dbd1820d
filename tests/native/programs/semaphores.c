// Ping-pong with semaphores, and a semaphore that limits the number of workers.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <errno.h>

static sem_t ping, pong, slots;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside, most, total;

static void *ponger(void *arg) {
  int rounds = *(int *)arg;
  for (int i = 0; i < rounds; i++) {
    sem_wait(&ping);
    printf("pong %d\n", i);
    sem_post(&pong);
  }
  return NULL;
}

static void *worker(void *arg) {
  sem_wait(&slots);
  pthread_mutex_lock(&mutex);
  if (++inside > most) most = inside;
  total += (int)(long)arg;
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  inside--;
  pthread_mutex_unlock(&mutex);
  sem_post(&slots);
  return NULL;
}

int main(void) {
  int rounds = 3, value;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  sem_init(&slots, 0, 2);
  pthread_t t[4];
  pthread_create(&t[0], NULL, ponger, &rounds);
  for (int i = 0; i < rounds; i++) {
    printf("ping %d\n", i);
    sem_post(&ping);
    sem_wait(&pong);
  }
  pthread_join(t[0], NULL);
  printf("%d %d\n", sem_trywait(&ping), errno == EAGAIN);
  for (long i = 0; i < 4; i++) pthread_create(&t[i], NULL, worker, (void *)(i + 1));
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  sem_getvalue(&slots, &value);
  printf("%d %d %d %d\n", total, most <= 2, inside, value);
  sem_destroy(&ping);
  sem_destroy(&pong);
  sem_destroy(&slots);
  return 0;
}
