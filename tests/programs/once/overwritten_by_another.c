// The initialiser tells another thread that it runs, and that one sets the control back.
#include <pthread.h>
#include <semaphore.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static sem_t begun, over;

static void run(void) {
  sem_post(&begun);
  sem_wait(&over);
}

static void *sets_back(void *arg) {
  sem_wait(&begun);
  control = (pthread_once_t)PTHREAD_ONCE_INIT;  // ERROR(lock-misuse)!
  sem_post(&over);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&begun, 0, 0);
  sem_init(&over, 0, 0);
  pthread_create(&t, NULL, sets_back, NULL);
  pthread_once(&control, run);
  pthread_join(t, NULL);
  pthread_once(&control, run);
  return 0;
}
