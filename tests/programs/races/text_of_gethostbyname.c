// gethostbyname() keeps its answer for the whole process.
#include <netdb.h>
#include <pthread.h>
#include <stddef.h>

static void *asks(void *arg) {
  struct hostent *host = gethostbyname("127.0.0.1");  // RACE!
  return host != NULL && host->h_length == 4 ? arg : NULL;  // RACE?
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, asks, NULL);
  pthread_create(&b, NULL, asks, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
