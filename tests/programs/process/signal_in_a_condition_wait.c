// VERDICT: clear
// A handler runs while its thread waits for a condition, and the sender waits for the handler.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;
static sem_t handled;

static void posts(int number) {
  (void)number;
  sem_post(&handled);
}

static void *waits(void *arg) {
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, posts);
  sem_init(&handled, 0, 0);
  pthread_create(&t, NULL, waits, NULL);
  pthread_kill(t, SIGUSR1);
  sem_wait(&handled);
  pthread_mutex_lock(&lock);
  ready = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
