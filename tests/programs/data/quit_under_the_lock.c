// Who sends "q" stops the server, under the lock. After the last client it waits for others, which is no error.
// SETTINGS: connections: {unknown: {count: 2, length: 1}}
// VERDICT: clear
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int stopped;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *watch(void *unused) {
  pthread_mutex_lock(&guard);
  const int seen = stopped;
  pthread_mutex_unlock(&guard);
  return seen ? 0 : unused;
}

int main(void) {
  pthread_t watcher;
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  listen(server, 5);
  pthread_create(&watcher, 0, watch, 0);
  struct pollfd wait = {server, POLLIN, 0};
  for (int stop = 0; !stop && poll(&wait, 1, -1) > 0;) {
    const int client = accept(server, 0, 0);
    char command = 0;
    if (read(client, &command, 1) == 1 && command == 'q') {
      pthread_mutex_lock(&guard);
      stopped = 1;
      pthread_mutex_unlock(&guard);
      stop = 1;
    }
    close(client);
  }
  pthread_join(watcher, 0);
  return 0;
}
