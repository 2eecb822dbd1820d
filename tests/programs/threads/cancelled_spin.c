// A loop that waits for a word that nobody writes, and may be cancelled in it.
// VERDICT: clear
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never;

static void *spin(void *arg) {
  while (!atomic_load(&never)) pthread_testcancel();
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, spin, NULL);
  pthread_cancel(a);
  pthread_join(a, NULL);
  return 0;
}
