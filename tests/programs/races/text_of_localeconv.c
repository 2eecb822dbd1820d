// The result lies in one place: one thread reads it while another asks again.
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

static struct lconv* known;

static void* worker(void* arg) {
  localeconv();  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  known = localeconv();
  pthread_create(&t, 0, worker, 0);
  if (known->decimal_point[0] == ',') puts("x");  // RACE?
  pthread_join(t, 0);
  return 0;
}
