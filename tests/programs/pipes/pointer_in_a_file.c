// Addresses in a file: with a descriptor at an offset, and through a stream, as elements of any size.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

FILE *stream;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *reader(void *p) {
  int *a = 0, *b = 0;
  pthread_mutex_lock(&m);
  if (pread(fileno(stream), &a, sizeof a, 0) != sizeof a) a = 0;
  fseek(stream, 8, SEEK_SET);
  if (fread(&b, 1, sizeof b, stream) != sizeof b) b = 0;
  pthread_mutex_unlock(&m);
  if (a) *a = 1;  // RACE!
  if (b) *b = 1;  // RACE!
  return p;
}

int main(void) {
  pthread_t t;
  int *a = malloc(sizeof *a), *b = malloc(sizeof *b), *both[2] = {a, b};
  stream = tmpfile();
  if (!stream || !a || !b) return 0;
  fwrite(both, sizeof both[0], 2, stream);
  fflush(stream);
  pthread_create(&t, 0, reader, 0);
  *a = 2;  // RACE!
  *b = 2;  // RACE!
  pthread_join(t, 0);
  free(a), free(b);
  fclose(stream);
  return 0;
}
