// What stat() says of a name is about the file's content, too.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static int file;

static void *writes(void *arg) {
  write(file, "x", 1);
  return arg;
}

int main(void) {
  pthread_t t;
  struct stat about;
  file = open("f", O_CREAT | O_RDWR, 0600);
  pthread_create(&t, NULL, writes, NULL);
  stat("f", &about);
  pthread_join(t, NULL);
  assert(about.st_size == 0);  // ERROR(assertion)!
  return 0;
}
