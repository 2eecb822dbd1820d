// The flag in the fresh block is atomic, and nobody has stored to it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct connection {
  atomic_bool closed;
  int number;
};

static void *sends(void *arg) {
  struct connection *connection = arg;
  if (!atomic_load(&connection->closed)) puts("sends");  // ERROR(uninitialised-read)!
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct connection *connection = malloc(sizeof *connection);
  if (connection == NULL) return 1;
  connection->number = 3;
  pthread_create(&thread, NULL, sends, connection);
  pthread_join(thread, NULL);
  free(connection);
  return 0;
}
