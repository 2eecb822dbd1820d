// printf looks at the locale, which another thread sets.
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

static void* worker(void* arg) {
  setlocale(LC_ALL, "C");  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  printf("%f", 1.5);  // RACE?
  pthread_join(t, 0);
  return 0;
}
