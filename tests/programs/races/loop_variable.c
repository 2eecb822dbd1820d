// The address of the loop variable is handed to every thread: all see the same, changing variable.
#include <pthread.h>

static int seen[3];

static void *worker(void *arg) {
  int mine = *(int *)arg;  // RACE! ERROR(use-after-free)?
  __atomic_fetch_add(&seen[mine % 3], 1, __ATOMIC_RELAXED);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)  // RACE!
    pthread_create(&threads[i], NULL, worker, &i);
  for (int k = 0; k < 2; k++) pthread_join(threads[k], NULL);
  return 0;
}
