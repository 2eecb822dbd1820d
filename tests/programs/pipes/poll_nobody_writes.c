// A thread waits in poll() for a pipe whose only writer has gone another way.
// SAYS: waits in poll() until a descriptor is ready
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], skip = 1;

static void *reader(void *arg) {
  struct pollfd one = {ends[0], POLLIN, 0};
  poll(&one, 1, -1);  // ERROR(deadlock)!
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
