// A node is copied into a larger block while its spin lock is held, and the lock of the new node is tried.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct node {
  long key;
  pthread_spinlock_t lock;
};
static struct node first;

static void *worker(void *arg) {
  struct node *nodes = calloc(2, sizeof *nodes);
  if (nodes == NULL) return arg;
  pthread_spin_lock(&first.lock);
  memcpy(&nodes[1], &first, sizeof first);
  pthread_spin_unlock(&first.lock);
  if (pthread_spin_trylock(&nodes[1].lock) == 0) pthread_spin_unlock(&nodes[1].lock);  // ERROR(lock-misuse)!
  free(nodes);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&first.lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  pthread_spin_destroy(&first.lock);
  return 0;
}
