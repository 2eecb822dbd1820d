#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *other(void *arg) {
  access("data", F_OK);
  return arg;
}

int main(void) {
  pthread_t t;
  close(open("data", O_CREAT | O_WRONLY, 0600));
  pthread_create(&t, NULL, other, NULL);
  if (access("data", F_OK) == 0) {
    int file = open("data", O_RDONLY);
    assert(file >= 0);
    close(file);
  }
  pthread_join(t, NULL);
  return 0;
}
