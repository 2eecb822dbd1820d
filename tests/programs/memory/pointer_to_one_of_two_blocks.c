// The variable that the pointer was set to has ended in one of two cases.
#include <pthread.h>
#include <stdlib.h>

static int inner(int which) {
  const int *chosen;
  int outer = 3;
  if (which > 1) {
    int ended = 4;
    chosen = &ended;
  } else {
    chosen = &outer;
  }
  return *chosen == 9;  // ERROR(use-after-free)!
}

static void *chooses(void *arg) { return inner(2) ? arg : NULL; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, chooses, NULL);
  pthread_join(t, NULL);
  return 0;
}
