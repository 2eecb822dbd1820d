// strtod looks at the locale, which another thread sets.
#define _GNU_SOURCE
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>

static void* worker(void* arg) {
  setlocale(LC_ALL, "");  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  strtod("1.5", 0);  // RACE?
  pthread_join(t, 0);
  return 0;
}
