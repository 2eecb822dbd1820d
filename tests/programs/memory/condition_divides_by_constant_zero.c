// Nothing is kept of the division: it decides.
#include <pthread.h>

static void *decide(void *p) {
  if (p && 3u % (unsigned)(sizeof(int) - 4)) return 0;  // ERROR(division-by-zero)!
  return p;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, decide, &thread);
  pthread_join(thread, 0);
  return 0;
}
