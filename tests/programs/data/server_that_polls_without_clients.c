// VERDICT: inconclusive
// SAYS: waits for a client from outside of the program: set `connections` in .heddle.yaml
// Who connects is outside, and nothing says that anyone does.
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int served;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *watch(void *unused) {
  pthread_mutex_lock(&guard);
  const int seen = served;
  pthread_mutex_unlock(&guard);
  return seen ? 0 : unused;
}

int main(void) {
  pthread_t watcher;
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  listen(server, 5);
  pthread_create(&watcher, 0, watch, 0);
  struct pollfd wait = {server, POLLIN, 0};
  while (poll(&wait, 1, -1) > 0) close(accept(server, 0, 0));
  return 0;
}
