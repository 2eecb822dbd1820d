// VERDICT: inconclusive
// SAYS: uses a file to which a stream has output that it has not flushed
// How large a file is while some of it lies in the buffer of a stream.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

static void *looks(void *arg) {
  struct stat about;
  FILE *log = fopen("log", "w");
  fputs("ab", log);
  if (fstat(fileno(log), &about) == 0) assert(about.st_size == 0);
  fclose(log);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, looks, NULL);
  pthread_join(t, NULL);
  return 0;
}
