// What a thread does before it registers an exit handler comes before the handler. What it does after that does not.
#include <pthread.h>
#include <stdlib.h>

static int before, after;

static void last(void) {
  ++before;
  ++after;  // RACE!
}

static void *registers(void *unused) {
  ++before;
  at_quick_exit(last);
  ++after;  // RACE!
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, registers, 0);
  pthread_detach(thread);
  quick_exit(0);
}
