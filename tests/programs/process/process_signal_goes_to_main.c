// A signal for the process interrupts main, which holds the lock that the handler wants.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void handles(int number) {
  pthread_mutex_lock(&lock);  // ERROR(deadlock)!
  count += number;
  pthread_mutex_unlock(&lock);
}

static void *tells(void *p) {
  kill(getpid(), SIGUSR1);
  return p;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handles);
  pthread_create(&t, NULL, tells, NULL);
  pthread_mutex_lock(&lock);
  count--;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
