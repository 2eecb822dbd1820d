// VERDICT: clear
// _exit() runs no handler: nothing races with main.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int count;

static void handler(void) { count++; }

static void *ends(void *arg) {
  _exit(0);
  return arg;
}

int main(void) {
  pthread_t t;
  atexit(handler);
  pthread_create(&t, NULL, ends, NULL);
  count++;
  pthread_join(t, NULL);
  return 0;
}
