// strncat of a string to itself: the end of what is read is written over.
#include <pthread.h>
#include <string.h>

static char word[32] = "ab";

static void *worker(void *arg) {
  strncat(word, word, 8);  // ERROR(out-of-bounds)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
