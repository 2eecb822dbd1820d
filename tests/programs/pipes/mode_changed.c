// SAYS: no order is weaker than seq_cst
// Another thread makes the pipe non-blocking.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *changes(void *arg) {
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return arg;
}

int main(void) {
  pthread_t t;
  pipe(ends);
  pthread_create(&t, NULL, changes, NULL);
  int flags = fcntl(ends[0], F_GETFL);
  pthread_join(t, NULL);
  assert((flags & O_NONBLOCK) == 0);  // ERROR(assertion)!
  return 0;
}
