// SAYS: after its thread ended
// What strerror gives for an unknown number lies in memory of the thread.
#include <pthread.h>
#include <string.h>

static void *explains(void *p) { return strerror(12345); }

int main(void) {
  pthread_t t;
  void *text;
  pthread_create(&t, NULL, explains, NULL);
  pthread_join(t, &text);
  return ((char *)text)[0] == 'x';  // ERROR(use-after-free)!
}
