// A timer of SIGEV_THREAD calls its function in a thread of its own.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static int shared;

static void expires(union sigval value) {
  *(int *)value.sival_ptr = 2;  // ERROR(data-race)!
}

int main(void) {
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expires};
  event.sigev_value.sival_ptr = &shared;
  const struct itimerspec once = {{0, 0}, {1, 0}};
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  timer_settime(timer, 0, &once, NULL);
  shared = 1;  // ERROR(data-race)!
  timer_delete(timer);
  return 0;
}
