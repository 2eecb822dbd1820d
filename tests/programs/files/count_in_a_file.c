// A number in a file is read, added to and written back by two threads: one addition is lost.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *adds(void *arg) {
  char c;
  int file = open("count", O_RDWR);
  pread(file, &c, 1, 0);
  c++;
  pwrite(file, &c, 1, 0);
  close(file);
  return arg;
}

int main(void) {
  pthread_t t[2];
  char c = '0';
  int file = open("count", O_CREAT | O_RDWR, 0600);
  write(file, &c, 1);
  pthread_create(&t[0], NULL, adds, NULL);
  pthread_create(&t[1], NULL, adds, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  pread(file, &c, 1, 0);
  close(file);
  assert(c == '2');  // ERROR(assertion)!
  return 0;
}
