// main ends by pthread_exit(): its local variables are gone, the process goes on.
#include <pthread.h>

static void *work(void *p) {
  *(int *)p = 1;  // ERROR(use-after-free)! RACE!
  return 0;
}

int main(void) {
  int x = 0;
  pthread_t t;
  pthread_create(&t, 0, work, &x);
  pthread_detach(t);
  pthread_exit(0);  // RACE!
}
