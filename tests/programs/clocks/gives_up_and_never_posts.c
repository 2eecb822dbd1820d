// A loop that gives up does not post what the other thread waits for.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

static sem_t go, done;
static atomic_int ready;
static int work[20];

static void *serve(void *unused) {
  ready = 1;
  sem_wait(&go);  // ERROR(deadlock|lost-signal)!
  sem_post(&done);
  return unused;
}

int main(void) {
  pthread_t thread;
  int i;
  sem_init(&go, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&thread, 0, serve, 0);
  for (i = 0; i < 20 && !ready; i++) {
    work[i] = i;
    usleep(100);
  }
  if (i < 20) sem_post(&go);
  sem_wait(&done);  // ERROR(deadlock|lost-signal)?
  pthread_join(thread, 0);
  return 0;
}
