// The exit status is what the thread has computed; a part of it that was never written is thrown away.
#include <pthread.h>

struct outcome {
  int failed, spare;
};

static void *worker(void *argument) {
  struct outcome *outcome = argument, mine;
  mine.failed = 0;
  *outcome = mine;
  return argument;
}

int main(void) {
  struct outcome outcome;
  pthread_t thread;
  if (pthread_create(&thread, 0, worker, &outcome) != 0) return 1;
  pthread_join(thread, 0);
  (void)outcome.spare;
  return outcome.failed;
}
