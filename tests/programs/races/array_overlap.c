// The ranges of the two threads overlap by one slot.
#include <pthread.h>

static int slots[3];

static void *fill(void *arg) {
  int *mine = arg;
  mine[0] = 1;  // RACE!
  mine[1] = 2;  // RACE!
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, fill, &slots[0]);
  pthread_create(&b, NULL, fill, &slots[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
