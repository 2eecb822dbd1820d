// VERDICT: clear
#include <pthread.h>
#include <stdlib.h>

static int read_one(int which) {
  int one = 1, other = 2, never;
  const int *chosen = which > 1 ? &other : &one;
  const int *set = which > 5 ? &never : &one;
  {
    int inside = 3;
    if (which == 7) chosen = &inside;
    if (*chosen == 3) return 1;
  }
  return *set == 2;
}

static void *chooses(void *arg) { return read_one(2) ? arg : NULL; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, chooses, NULL);
  pthread_join(t, NULL);
  return 0;
}
