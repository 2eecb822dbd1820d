// A queue whose capacity an argument sets: the last cell is overwritten once it is full, whatever the capacity.
// SETTINGS: arguments: [{unknown: {length: 1}}]
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *cells;
static unsigned capacity, head, count;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void put(int value) {
  pthread_mutex_lock(&guard);
  if (count <= capacity) {  // one too many
    cells[(head + count) % capacity] = value;
    ++count;
  }
  pthread_mutex_unlock(&guard);
}

static void *produce(void *unused) {
  put(1);
  put(2);
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (argc < 2) return 1;
  const int wanted = atoi(argv[1]);
  if (wanted < 1 || wanted > 4) return 1;
  capacity = (unsigned)wanted;
  cells = malloc(capacity * sizeof *cells);
  if (cells == 0) return 1;
  pthread_create(&thread, 0, produce, 0);
  put(3);
  pthread_join(thread, 0);
  assert(count <= capacity);  // ERROR(assertion)!
  free(cells);
  return 0;
}
