// A lock of an exchange is not given back on one way. The other thread exchanges in rounds of 1,100.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int busy;
static atomic_int stopped;

static void enter(void) {
  for (;;)
    for (int i = 0; i < 1100; i++) {
      if (atomic_exchange(&busy, 1) == 0) return;  // ERROR(deadlock|livelock)!
      usleep(10);
    }
}
static void *stops(void *arg) {
  enter();
  if (atomic_load(&stopped) == 0) return arg;
  atomic_store(&busy, 0);
  return arg;
}
static void *works(void *arg) {
  enter();
  atomic_store(&busy, 0);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, stops, NULL);
  pthread_create(&b, NULL, works, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);  // ERROR(deadlock|livelock)?
  return 0;
}
