// A server hands connections to workers; of a line that is too long the rest is dropped.
// SETTINGS: connections: {unknown: {count: 1, length: 3}}
// SAYS: 1 client connects from outside; each sends at most 3 bytes
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int waiting = -1, lines;

static void serve(int client) {
  char line[2], c;
  int length = 0;
  while (read(client, &c, 1) == 1) {
    if (c != '\n') {
      if (length < 2) line[length++] = c;
      continue;
    }
    pthread_mutex_lock(&guard);
    lines += length > 0 && line[0] != '#';
    pthread_mutex_unlock(&guard);
    length = 0;
  }
  write(client, "bye\n", 4);
  close(client);
}

static void *work(void *unused) {
  pthread_mutex_lock(&guard);
  while (waiting < 0) pthread_cond_wait(&ready, &guard);
  const int client = waiting;
  waiting = -1;
  pthread_mutex_unlock(&guard);
  serve(client);
  return unused;
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7000)};
  pthread_t worker;
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  bind(server, (struct sockaddr *)&address, sizeof address);
  listen(server, 5);
  pthread_create(&worker, 0, work, 0);
  const int client = accept(server, 0, 0);
  pthread_mutex_lock(&guard);
  waiting = client;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&guard);
  pthread_join(worker, 0);
  close(server);
  return 0;
}
