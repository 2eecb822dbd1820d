// A thread that has made no step when the process ends is told at its creation.
#include <threads.h>

static int work(void *argument) {
  thrd_yield();
  return argument != 0;
}

int main(void) {
  thrd_t thread;
  thrd_create(&thread, work, 0);  // ERROR(thread-leak)!
  return 0;
}
