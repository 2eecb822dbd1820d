// A reader of lines is cancelled in fgets, and what it has allocated is lost.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *reader(void *arg) {
  char *line = malloc(80);  // ERROR(leak)!
  if (line == NULL) return NULL;
  if (fgets(line, 80, stdin) == NULL) line[0] = 0;
  free(line);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  pthread_cancel(t);
  pthread_join(t, NULL);
  return 0;
}
