// One line comes by dprintf, and the reader waits for a second one. What the writer stores after the line is unordered.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2], late;

static void *writer(void *arg) {
  dprintf(ends[1], "%s\n", "ready");
  late = 1;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  char line[16];
  pipe(ends);
  pthread_create(&t, NULL, writer, NULL);
  read(ends[0], line, sizeof line);
  int seen = late;          // RACE!
  read(ends[0], line, 16);  // ERROR(deadlock)!
  pthread_join(t, NULL);
  return seen;
}
