// VERDICT: clear
// Each thread has a text that inet_ntoa gives.
#include <arpa/inet.h>
#include <pthread.h>
#include <string.h>

static void *shows(void *arg) {
  const struct in_addr address = {*(unsigned *)arg};
  return strlen(inet_ntoa(address)) > 6 ? arg : NULL;  // NORACE
}

int main(void) {
  unsigned one = 0x0100007f, two = 0x0200007f;
  pthread_t t;
  pthread_create(&t, NULL, shows, &one);
  shows(&two);
  pthread_join(t, NULL);
  return 0;
}
