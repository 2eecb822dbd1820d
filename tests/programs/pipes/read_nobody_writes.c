// A thread waits in read() for a pipe whose only writer has gone another way.
// SAYS: waits in read() for the descriptor made at read_nobody_writes.c:22, and no thread writes to it
// SAYS: "action":"read()"
#include <pthread.h>
#include <unistd.h>

static int ends[2], skip = 1;

static void *reader(void *arg) {
  char byte;
  read(ends[0], &byte, 1);  // ERROR(deadlock)!
  return arg;
}

static void *writer(void *arg) {
  if (!skip) write(ends[1], "x", 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pipe(ends);
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(b, NULL);
  pthread_join(a, NULL);
  return 0;
}
