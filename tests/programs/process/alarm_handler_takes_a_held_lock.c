// The handler waits for the lock that the code it interrupts holds.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void rings(int number) {
  pthread_mutex_lock(&lock);  // ERROR(deadlock)!
  count += number;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGALRM, rings);
  pthread_create(&t, NULL, work, NULL);
  alarm(1);
  pthread_mutex_lock(&lock);
  count--;
  pthread_mutex_unlock(&lock);
  alarm(0);
  pthread_join(t, NULL);
  return 0;
}
