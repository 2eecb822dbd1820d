// The finding names the bit-fields that share a memory location, also inside of an array of structures.
// SAYS: bit-fields 'low' and 'high' share one memory location
#include <pthread.h>

static struct {
  long padding;
  struct {
    unsigned char low : 4, high : 4;
  } half;
} cells[2];

static void *worker(void *arg) {
  cells[1].half.low = 3;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  cells[1].half.high = 2;  // RACE!
  pthread_join(t, NULL);
  return 0;
}
