// The format lies in the buffer that is printed to.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char text[64];

static void *worker(void *arg) {
  strcpy(text + 4, "%d-%d");
  snprintf(text, sizeof text, text + 4, 10, 20);  // ERROR(out-of-bounds)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
