// A header of two bytes is read at once: it may come one by one.
// SETTINGS: connections: {unknown: {count: 1, length: 2}}
// SAYS: connection 1 = 
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int total;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *arg) {
  unsigned char header[2];
  if (read(*(int *)arg, header, 2) <= 0) return arg;
  pthread_mutex_lock(&guard);
  if (header[1] > 4) total++;  // ERROR(uninitialised-read)!
  pthread_mutex_unlock(&guard);
  return arg;
}

int main(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "control"};
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(server, (struct sockaddr *)&address, sizeof address);
  listen(server, 1);
  int client = accept(server, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, serve, &client);
  pthread_mutex_lock(&guard);
  total++;
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return total == 0;
}
