// Exactly one of the three is told PTHREAD_BARRIER_SERIAL_THREAD: here the last to arrive, which may be any of them.
// OUTCOME: exit 0, prints "100"
// OUTCOME: exit 0, prints "010"
// OUTCOME: exit 0, prints "001"
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t b;

static void* arrive(void* serial) {
  *(int*)serial = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
  return 0;
}

int main(void) {
  pthread_t t[2];
  int serial[3];
  pthread_barrier_init(&b, 0, 3);
  pthread_create(&t[0], 0, arrive, &serial[0]);
  pthread_create(&t[1], 0, arrive, &serial[1]);
  arrive(&serial[2]);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  printf("%d%d%d", serial[0], serial[1], serial[2]);
  return 0;
}
