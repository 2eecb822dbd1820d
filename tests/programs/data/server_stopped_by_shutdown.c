// VERDICT: clear
// Another thread ends the wait for clients.
// SETTINGS: connections: {unknown: {count: 1, length: 2}}
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int server, bytes;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *unused) {
  for (int client; (client = accept(server, 0, 0)) >= 0; close(client)) {
    char byte;
    while (recv(client, &byte, 1, 0) == 1) {
      pthread_mutex_lock(&guard);
      bytes++;
      pthread_mutex_unlock(&guard);
    }
    send(client, "bye", 3, 0);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  server = socket(AF_INET, SOCK_STREAM, 0);
  listen(server, 5);
  pthread_create(&thread, 0, serve, 0);
  pthread_mutex_lock(&guard);
  const int seen = bytes;
  pthread_mutex_unlock(&guard);
  shutdown(server, SHUT_RDWR);
  pthread_join(thread, 0);
  close(server);
  return seen > 2;
}
