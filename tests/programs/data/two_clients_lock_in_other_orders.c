// A thread for each client; what it sends decides which account is locked first. Meanwhile main waits for more clients.
// SETTINGS: connections: {unknown: {count: 2, length: 1}}
// SAYS: connection 2 = 
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void move(pthread_mutex_t *from, pthread_mutex_t *to) {
  pthread_mutex_lock(from);
  pthread_mutex_lock(to);  // ERROR(deadlock)!
  moved++;
  pthread_mutex_unlock(to);
  pthread_mutex_unlock(from);
}

static void *serve(void *number) {
  const int client = (int)(long)number;
  char from = 0;
  read(client, &from, 1);
  if (from == 'a')
    move(&one, &other);
  else
    move(&other, &one);
  close(client);
  return 0;
}

int main(void) {
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  listen(server, 5);
  for (long client; (client = accept(server, 0, 0)) >= 0;) {
    pthread_t thread;
    pthread_create(&thread, 0, serve, (void *)client);
    pthread_detach(thread);
  }
  return 0;
}
