// VERDICT: inconclusive
// SAYS: "limits":["main starts no thread as it is run here
// What was not begun is told before what the execution graphs leave out.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

static atomic_int ready;

static void *worker(void *arg) {
  mkdir("settings", 0700);
  atomic_store_explicit(&ready, 1, memory_order_release);
  return arg;
}

static int missing(void) {
  struct stat found;
  return stat("settings", &found) != 0;
}

int main(void) {
  pthread_t other;
  if (missing()) return 0;
  pthread_create(&other, NULL, worker, NULL);
  while (!atomic_load_explicit(&ready, memory_order_acquire)) (void)missing();
  pthread_join(other, NULL);
  return 0;
}
