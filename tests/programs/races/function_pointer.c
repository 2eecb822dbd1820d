// The racy function is reached through a table of function pointers.
#include <pthread.h>

static int state;

static void quiet(void) {}
static void loud(void) { state = 1; }  // RACE!

static void (*const table[])(void) = {quiet, loud};

static void *worker(void *arg) {
  table[*(int *)arg]();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1;
  pthread_create(&a, NULL, worker, &one);
  pthread_create(&b, NULL, worker, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
