// Ids are used before the threads end, or after their end while they can still be joined.
// VERDICT: clear
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t go, ended;

static void handle(int number) { (void)number; }

static void *waits(void *arg) {
  while (sem_wait(&go) != 0) {
  }
  return arg;
}

static void *works(void *arg) {
  sem_post(&ended);
  return arg;
}

int main(void) {
  pthread_t detached, joined;
  sem_init(&go, 0, 0);
  sem_init(&ended, 0, 0);
  signal(SIGUSR1, handle);
  pthread_create(&detached, NULL, waits, NULL);
  pthread_detach(detached);
  pthread_setname_np(detached, "detached");
  pthread_kill(detached, SIGUSR1);
  sem_post(&go);
  pthread_create(&joined, NULL, works, NULL);
  while (sem_wait(&ended) != 0) {
  }
  pthread_kill(joined, 0);
  pthread_join(joined, NULL);
  pthread_exit(NULL);
}
