// One member of a date was written, and mktime() reads all of them.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static void *counts(void *arg) {
  struct tm date;
  date.tm_year = 100;
  return mktime(&date) == 9 ? arg : NULL;  // ERROR(uninitialised-read)!
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, counts, NULL);
  pthread_join(t, NULL);
  return 0;
}
