// What a descriptor is polled for was never written.
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *arg) {
  write(ends[1], "x", 1);
  return arg;
}

int main(void) {
  pthread_t t;
  struct pollfd asked;
  pipe(ends);
  pthread_create(&t, NULL, writes, NULL);
  asked.fd = ends[0];
  int found = poll(&asked, 1, -1);  // ERROR(uninitialised-read)!
  pthread_join(t, NULL);
  return found != 1;
}
