// VERDICT: clear
// A stress test as many are: threads work until the alarm rings.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_bool stop;
static atomic_int turns;

static void rings(int number) {
  assert(number == SIGALRM);
  stop = 1;
}

static void *work(void *arg) {
  while (!stop) turns = 1;
  return arg;
}

int main(void) {
  pthread_t t[2];
  struct sigaction action = {.sa_handler = rings};
  sigaction(SIGALRM, &action, NULL);
  alarm(10);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  assert(stop && alarm(0) == 0);
  return 0;
}
