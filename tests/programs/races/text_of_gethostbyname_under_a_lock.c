// The same under a lock; another host is not found.
// VERDICT: clear
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *asks(void *arg) {
  pthread_mutex_lock(&m);
  struct hostent *host = gethostbyname("localhost");
  assert(host != NULL && host->h_length == 4 && host->h_addr_list[1] == NULL);
  assert(*(in_addr_t *)host->h_addr_list[0] == htonl(INADDR_LOOPBACK) && strcmp(host->h_name, "localhost") == 0);
  assert(gethostbyname("elsewhere.example") == NULL && h_errno == HOST_NOT_FOUND);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, asks, NULL);
  pthread_create(&b, NULL, asks, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
