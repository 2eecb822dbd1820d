// VERDICT: clear
// A sense-reversing barrier, used twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int missing = 2, sense;
static int cells[2];
static int ids[2] = {0, 1};

static void barrier(int *local) {
  *local = !*local;
  if (atomic_fetch_sub(&missing, 1) == 1) {
    atomic_store(&missing, 2);
    atomic_store(&sense, *local);
  } else {
    while (atomic_load(&sense) != *local) {
    }
  }
}

static void *worker(void *arg) {
  int id = *(int *)arg, local = 0;
  cells[id] = 1;
  barrier(&local);
  assert(cells[1 - id] == 1);
  barrier(&local);
  cells[id] = 2;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, &ids[0]);
  pthread_create(&b, NULL, worker, &ids[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
