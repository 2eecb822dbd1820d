// A read of a private block moves behind the helper that frees it.
#include <pthread.h>
#include <stdlib.h>

struct job {
  int kind;
};

static void done(struct job *job) { free(job); }

static void *work(void *kinds) {
  struct job *job = calloc(1, sizeof *job);
  if (!job) return 0;
  done(job);
  int kind = job->kind;  // ERROR(use-after-free)!
  *(int *)kinds = kind;
  return 0;
}

int main(void) {
  pthread_t thread;
  int kinds;
  pthread_create(&thread, 0, work, &kinds);
  pthread_join(thread, 0);
  return kinds;
}
