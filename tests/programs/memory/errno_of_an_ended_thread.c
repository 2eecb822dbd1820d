// SAYS: errno
// Each thread has its own errno, and it dies with the thread.
#include <errno.h>
#include <pthread.h>

static void *fails(void *p) {
  errno = EAGAIN;
  return &errno;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, fails, NULL);
  pthread_join(t, &result);
  return *(int *)result == EAGAIN;  // ERROR(use-after-free)!
}
