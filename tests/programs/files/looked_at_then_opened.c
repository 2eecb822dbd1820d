// Between the look and the opening another thread takes the file away.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static void *removes(void *arg) {
  unlink("data");
  return arg;
}

int main(void) {
  pthread_t t;
  struct stat known;
  close(open("data", O_CREAT | O_WRONLY, 0600));
  pthread_create(&t, NULL, removes, NULL);
  if (stat("data", &known) == 0) {
    int file = open("data", O_RDONLY);
    assert(file >= 0);  // ERROR(assertion)!
    close(file);
  }
  pthread_join(t, NULL);
  return 0;
}
