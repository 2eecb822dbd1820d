// Main fills in the argument after the thread has started.
#include <pthread.h>

struct job { int size; };

static void *worker(void *arg) {
  struct job *job = arg;
  return job->size > 10 ? arg : NULL;  // RACE!
}

int main(void) {
  pthread_t t;
  struct job job = {0};
  pthread_create(&t, NULL, worker, &job);
  job.size = 7;  // RACE!
  pthread_join(t, NULL);
  return 0;
}
