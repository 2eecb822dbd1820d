// A block is freed while another thread may still unlock the mutex in it: told by what both do.
// SAYS: main frees it here while worker unlocks it
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct Job {
  pthread_mutex_t gate;
  int left;
};

static void *worker(void *argument) {
  struct Job *job = argument;
  pthread_mutex_lock(&job->gate);    // ERROR(data-race|use-after-free|lock-misuse)?
  --job->left;                       // ERROR(data-race|use-after-free)?
  pthread_mutex_unlock(&job->gate);  // ERROR(data-race|use-after-free|lock-misuse)?
  return 0;
}

int main(void) {
  pthread_t thread;
  struct Job *job = malloc(sizeof *job);
  pthread_mutex_init(&job->gate, 0);
  job->left = 1;
  pthread_create(&thread, 0, worker, job);
  pthread_mutex_lock(&job->gate);
  job->left = 2;
  pthread_mutex_unlock(&job->gate);
  free(job);  // RACE! ERROR(lock-misuse)?
  pthread_join(thread, 0);
  return 0;
}
