// The control of a fresh block decides whether the initialiser runs, and nobody has written it.
#include <pthread.h>
#include <stdlib.h>

struct lazy {
  pthread_once_t once;
  int users;
};

static int *table;
static void make_table(void) {
  static int values[2];
  table = values;
}
static void *uses(void *arg) {
  struct lazy *lazy = arg;
  pthread_once(&lazy->once, make_table);  // ERROR(lock-misuse)!
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct lazy *lazy = malloc(sizeof *lazy);
  if (lazy == NULL) return 1;
  lazy->users = 1;
  pthread_create(&thread, NULL, uses, lazy);
  uses(lazy);
  pthread_join(thread, NULL);
  free(lazy);
  return 0;
}
