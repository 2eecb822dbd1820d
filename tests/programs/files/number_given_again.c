// A number that was closed is given to the next file.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *closes(void *arg) {
  close(*(int *)arg);
  return NULL;
}

int main(void) {
  pthread_t t;
  int f = open("f", O_CREAT | O_RDWR, 0600);
  pthread_create(&t, NULL, closes, &f);
  int g = open("g", O_CREAT | O_RDWR, 0600);
  pthread_join(t, NULL);
  assert(f != g);  // ERROR(assertion)!
  return 0;
}
