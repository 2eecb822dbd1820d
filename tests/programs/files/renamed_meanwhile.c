// Streams and names: the log is rotated between opening and removing it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static void *rotates(void *arg) {
  rename("log", "log.old");
  return arg;
}

int main(void) {
  pthread_t t;
  fclose(fopen("log", "w"));
  pthread_create(&t, NULL, rotates, NULL);
  FILE *log = fopen("log", "r");
  if (log != NULL) {
    fclose(log);
    assert(remove("log") == 0);  // ERROR(assertion)!
  }
  pthread_join(t, NULL);
  return 0;
}
