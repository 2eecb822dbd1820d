// The exit status of a process that nobody has computed.
#include <pthread.h>

struct outcome {
  int done, failed;
};

static void *worker(void *argument) {
  struct outcome *outcome = argument;
  outcome->done = 1;
  return argument;
}

int main(void) {
  struct outcome outcome;
  pthread_t thread;
  if (pthread_create(&thread, 0, worker, &outcome) != 0) return 1;
  pthread_join(thread, 0);
  return outcome.failed;  // ERROR(uninitialised-read)!
}
