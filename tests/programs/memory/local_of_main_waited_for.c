// The thread says that it has done with main's variable before main ends by pthread_exit().
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static void *work(void *p) {
  *(int *)p = 1;
  sem_post(&done);
  return 0;
}

int main(void) {
  int x = 0;
  pthread_t t;
  sem_init(&done, 0, 0);
  pthread_create(&t, 0, work, &x);
  pthread_detach(t);
  sem_wait(&done);
  pthread_exit(0);
}
