// VERDICT: clear
// STATS: executions=1
// Each thread uses another signal.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static _Thread_local int seen;

static void handles(int number) { seen = number; }

static void *sends(void *arg) {
  const int number = *(int *)arg;
  signal(number, handles);
  raise(number);
  assert(seen == number);
  return NULL;
}

int main(void) {
  pthread_t t;
  int one = SIGUSR1, two = SIGUSR2;
  pthread_create(&t, NULL, sends, &one);
  sends(&two);
  pthread_join(t, NULL);
  return 0;
}
