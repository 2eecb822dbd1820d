// The same with a flag on the heap, behind a function, and a semaphore.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct job {
  int done;
};
static sem_t semaphore;

static void *worker(void *argument) {
  ((struct job *)argument)->done = 1;  // RACE!
  return 0;
}

static int finished(struct job *job) { return job->done; }  // RACE!

int main(void) {
  pthread_t thread;
  struct job *job = calloc(1, sizeof *job);
  if (job == 0) return 1;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, 0, worker, job);
  while (!finished(job)) sem_trywait(&semaphore);
  pthread_join(thread, 0);
  free(job);
  return 0;
}
