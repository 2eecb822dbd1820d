// A server that looks at its flag only after the next connection, which nobody makes.
// SAYS: waits in accept()
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static atomic_int stop;
static int listening;

static void *serve(void *unused) {
  while (!stop) {
    int got = accept(listening, 0, 0);  // ERROR(deadlock)!
    if (got < 0) break;
    close(got);
  }
  return unused;
}

int main(void) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  strcpy(name.sun_path, "stop.sock");
  listening = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(listening, (void *)&name, sizeof name);
  listen(listening, 4);
  pthread_t t;
  pthread_create(&t, 0, serve, 0);
  int client = socket(AF_UNIX, SOCK_STREAM, 0);
  connect(client, (void *)&name, sizeof name);
  close(client);
  stop = 1;
  return pthread_join(t, 0);  // ERROR(deadlock)!
}
