// A connection that a wrapper of malloc made is closed by one thread and used by the other.
#include <pthread.h>
#include <stdlib.h>

struct connection {
  int socket;
  struct {
    char *text;
    int length;
  } out;
};

static void *get_memory(size_t size) {
  void *memory = malloc(size);
  if (!memory) abort();
  return memory;
}

static struct connection *connection;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void open_connection(void) {
  connection = get_memory(sizeof *connection);
  connection->socket = 3;
  connection->out.text = get_memory(16);
  connection->out.length = 0;
}

static void *close_connection(void *argument) {
  pthread_mutex_lock(&lock);
  free(connection->out.text);
  free(connection);
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t closer;
  open_connection();
  pthread_create(&closer, NULL, close_connection, NULL);
  pthread_mutex_lock(&lock);
  connection->out.length = 4;
  pthread_mutex_unlock(&lock);
  pthread_join(closer, NULL);
  return 0;
}
