// SAYS: uses index -1 of 'ring.slots', an array of 4 elements
// An index below zero lies in the member before. Threads decide whether it comes to that.
#include <pthread.h>

static struct {
  int used;
  int slots[4];
  int lost;
} ring;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *takes(void *p) {
  pthread_mutex_lock(&m);
  ring.slots[--ring.used] = 0;  // ERROR(out-of-bounds)!
  pthread_mutex_unlock(&m);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, takes, NULL);
  pthread_mutex_lock(&m);
  ring.slots[ring.used++] = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, NULL);
  return ring.lost;
}
