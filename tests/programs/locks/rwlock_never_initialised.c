// A table in a fresh block, whose lock nobody has initialised.
#include <pthread.h>
#include <stdlib.h>

struct table {
  pthread_rwlock_t lock;
  int rows;
};

static void *adds(void *arg) {
  struct table *table = arg;
  pthread_rwlock_wrlock(&table->lock);  // ERROR(lock-misuse)!
  table->rows++;
  pthread_rwlock_unlock(&table->lock);
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct table *table = malloc(sizeof *table);
  if (table == NULL) return 1;
  table->rows = 0;
  pthread_create(&thread, NULL, adds, table);
  pthread_join(thread, NULL);
  free(table);
  return 0;
}
