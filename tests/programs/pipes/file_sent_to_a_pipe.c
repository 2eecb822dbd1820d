// sendfile() copies a file to a pipe, from a position of its own and from that of the descriptor.
// VERDICT: clear
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

static int ends[2];

static void *sends(void *arg) {
  off_t at = 1;
  int file = open("letters", O_CREAT | O_RDWR | O_TRUNC, 0600);
  write(file, "abcd", 4);
  assert(sendfile(ends[1], file, &at, 2) == 2 && at == 3);
  lseek(file, 3, SEEK_SET);
  assert(sendfile(ends[1], file, NULL, 9) == 1);
  close(file);
  close(ends[1]);
  return arg;
}

int main(void) {
  pthread_t t;
  char text[8] = {0};
  size_t size = 0;
  ssize_t part;
  pipe(ends);
  pthread_create(&t, NULL, sends, NULL);
  while ((part = read(ends[0], text + size, sizeof text - size)) > 0) size += (size_t)part;
  assert(strcmp(text, "bcd") == 0);
  pthread_join(t, NULL);
  return 0;
}
