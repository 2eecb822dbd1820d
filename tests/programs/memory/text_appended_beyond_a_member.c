// SAYS: writes 9 bytes, across the end of 'job.path
// Two workers append to the same text in turn: it has room for one of them.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct job {
  char path[8];
  int done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *appends(void *p) {
  struct job *job = p;
  pthread_mutex_lock(&lock);
  strncat(job->path, "/sub", 4);  // ERROR(out-of-bounds)!
  job->done++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  struct job *job = calloc(1, sizeof *job);
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, appends, job);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  free(job);
  return 0;
}
