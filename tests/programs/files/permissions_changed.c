// Another thread changes the permissions.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static void *opens_up(void *arg) {
  chmod("f", 0644);
  return arg;
}

int main(void) {
  pthread_t t;
  struct stat about;
  int file = open("f", O_CREAT | O_RDWR, 0600);
  pthread_create(&t, NULL, opens_up, NULL);
  fstat(file, &about);
  pthread_join(t, NULL);
  close(file);
  assert((about.st_mode & 0777) == 0600);  // ERROR(assertion)!
  return 0;
}
