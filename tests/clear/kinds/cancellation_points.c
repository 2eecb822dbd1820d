// Calls in which a request to cancel the thread is acted upon.
// STATEMENT: x++;
// STATEMENT: fsync(fd);
// STATEMENT: fdatasync(fd);
// STATEMENT: poll(0, 0, 0);
// STATEMENT: close(dup(fd));
// STATEMENT: pread(fd, &c, 1, 0);
// STATEMENT: nanosleep(&now, 0);
// STATEMENT: fflush(0);
// STATEMENT: fcntl(fd, F_SETLKW, &record);
// STATEMENT: fcntl(fd, F_SETLK, &record);
#include "all.h"

#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

int x, fd;
char c;
struct timespec now;
struct flock record = {.l_type = F_WRLCK};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
HELPERS
static void *w(void *p) {
  pthread_mutex_lock(&m);
  STATEMENT
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  fd = open("f", O_RDWR | O_CREAT, 0600);
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
