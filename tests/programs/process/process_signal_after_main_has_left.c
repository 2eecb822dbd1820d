// VERDICT: clear
// main has left: another thread takes the signal, so none is lost.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static sem_t handled;

static void handles(int number) {
  (void)number;
  sem_post(&handled);
}

static void *tells(void *p) {
  kill(getpid(), SIGUSR1);
  while (sem_wait(&handled) != 0) {
  }
  return p;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handles);
  sem_init(&handled, 0, 0);
  pthread_create(&t, NULL, tells, NULL);
  pthread_exit(NULL);
}
