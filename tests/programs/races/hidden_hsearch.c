// There is one table of hsearch.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <search.h>

static void *calls(void *arg) {
  hsearch((ENTRY){"key", NULL}, ENTER);  // RACE! ERROR(null-dereference|uninitialised-read)?
  return arg;
}

int main(void) {
  pthread_t t[2];
  hcreate(8);
  pthread_create(&t[0], NULL, calls, NULL);
  pthread_create(&t[1], NULL, calls, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
