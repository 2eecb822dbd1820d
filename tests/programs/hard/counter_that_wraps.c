// The byte never reaches 300: after 256 rounds everything is as before, the buffer too.
// VERDICT: inconclusive
// SAYS: loops for ever: it comes back to the same state and waits for no other thread
#include <pthread.h>

static void *worker(void *argument) {
  char buffer[256];
  for (unsigned char n = 0; n < 300; n++) buffer[n] = (char)n;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
