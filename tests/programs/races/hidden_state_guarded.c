// VERDICT: clear
// The same functions under a lock, with states of the callers' own, and before there is a second thread.
#define _GNU_SOURCE
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wchar.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double sum;

static void work(void) {
  flockfile(stdout);
  flockfile(stdout);
  putchar_unlocked('a');
  funlockfile(stdout);
  fputs_unlocked("b", stdout);
  funlockfile(stdout);
  pthread_mutex_lock(&lock);
  sum += drand48() + lgamma(2.5);
  pthread_mutex_unlock(&lock);
  mbstate_t state = {0};
  wchar_t wide;
  int sign;
  unsigned short numbers[3] = {1, 2, 3};
  mbrtowc(&wide, "a", 1, &state);
  volatile double own = lgamma_r(1.5, &sign) + erand48(numbers);
  (void)own;
}

static void *worker(void *arg) {
  work();
  putc_unlocked('x', stderr);  // the other one writes to stdout
  return arg;
}

int main(int argc, char **argv) {
  pthread_t t;
  setlocale(LC_ALL, "");
  while (getopt(argc, argv, "ab") != -1) continue;
  srand48(3);
  pthread_create(&t, NULL, worker, NULL);
  work();
  pthread_join(t, NULL);
  putc_unlocked('y', stderr);
  return 0;
}
