// Section 3.1 of the paper: four threads count up and down, the edit adds an assertion to a fifth.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int i;

static void *up_and_down(void *arg) {
  i++;
  i--;
  return arg;
}

static void *observer(void *arg) {
  return arg;
}

int main(void) {
  pthread_t counting[4], watching;
  for (int n = 0; n < 4; n++) pthread_create(&counting[n], NULL, up_and_down, NULL);
  pthread_create(&watching, NULL, observer, NULL);
  for (int n = 0; n < 4; n++) pthread_join(counting[n], NULL);
  pthread_join(watching, NULL);
  return 0;
}
