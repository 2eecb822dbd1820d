// VERDICT: inconclusive
// SAYS: uses a file to which a stream has output that it has not flushed
// What a thread has written may still lie in the buffer of its stream when another stream reads the file.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *out;

static void *writes(void *arg) {
  fputs("data", out);
  return arg;
}

int main(void) {
  pthread_t t;
  out = fopen("data", "w");
  pthread_create(&t, NULL, writes, NULL);
  pthread_join(t, NULL);
  FILE *in = fopen("data", "r");
  assert(fgetc(in) == 'd');
  fclose(in);
  fclose(out);
  return 0;
}
