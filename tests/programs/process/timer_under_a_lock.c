// VERDICT: clear
// Timers as threads and as signals, with what they share under locks or atomic.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static atomic_int signalled;

static void expires(union sigval value) {
  pthread_mutex_lock(&lock);
  shared += value.sival_int;
  pthread_mutex_unlock(&lock);
}

static void handles(int number, siginfo_t *told, void *unused) {
  (void)unused;
  assert(told->si_signo == number && told->si_value.sival_int == 7);
  signalled++;
}

int main(void) {
  timer_t thread, signal;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = expires};
  event.sigev_value.sival_int = 3;
  struct sigaction action = {.sa_sigaction = handles, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  const struct itimerspec once = {{0, 0}, {1, 0}};
  timer_create(CLOCK_MONOTONIC, &event, &thread);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  event.sigev_value.sival_int = 7;
  timer_create(CLOCK_MONOTONIC, &event, &signal);
  timer_settime(thread, 0, &once, NULL);
  timer_settime(signal, 0, &once, NULL);
  pthread_mutex_lock(&lock);
  assert(shared == 0 || shared == 3);
  pthread_mutex_unlock(&lock);
  timer_delete(signal);
  const int before = signalled;
  assert(before == 0 || before == 1);
  timer_delete(thread);
  assert(signalled == before);
  return 0;
}
