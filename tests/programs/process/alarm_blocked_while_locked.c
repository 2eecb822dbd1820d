// VERDICT: clear
// The same with the signal blocked as long as the lock is held.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void rings(int number) {
  pthread_mutex_lock(&lock);
  count += number;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGALRM, rings);
  alarm(1);
  pthread_create(&t, NULL, work, NULL);
  work(NULL);
  pthread_join(t, NULL);
  return 0;
}
