// Another thread takes more permissions from new files.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static void *strict(void *arg) {
  umask(077);
  return arg;
}

int main(void) {
  pthread_t t;
  struct stat s;
  umask(022);
  pthread_create(&t, NULL, strict, NULL);
  int f = open("f", O_CREAT | O_WRONLY, 0666);
  fstat(f, &s);
  close(f);
  pthread_join(t, NULL);
  assert((s.st_mode & 0777) == 0644);  // ERROR(assertion)!
  return 0;
}
