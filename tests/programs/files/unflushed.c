// VERDICT: inconclusive
// SAYS: uses a file to which a stream has output that it has not flushed
// SAYS: stdio reads and writes at once
// SAYS: a buffer that a stream is given holds no text
// The reader would find nothing in the file: the line is in the stream's buffer. What is not explored is said.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char buffer[64];

static void *reads(void *unused) {
  char text[4];
  int file = open("log", O_RDONLY);
  (void)!read(file, text, 4);
  close(file);
  return unused;
}

int main(void) {
  FILE *log = fopen("log", "w");
  setvbuf(log, buffer, _IOFBF, sizeof buffer);
  fputs("hi", log);
  pthread_t t;
  pthread_create(&t, 0, reads, 0);
  pthread_join(t, 0);
  return fclose(log);
}
