// A spinner that counts in a byte reads what main writes: it is no endless loop, and it gives way.
#include <pthread.h>

static int stop;  // RACE?

static void *spinner(void *argument) {
  unsigned char spins = 0;
  while (!stop) spins++;  // RACE!
  return (char *)argument + spins;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, spinner, NULL);
  stop = 1;  // RACE!
  pthread_join(thread, NULL);
  return 0;
}
