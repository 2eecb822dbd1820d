// VERDICT: inconclusive
// SAYS: uses the descriptor of a stream that has read ahead into its buffer
// A stream has read the whole file when it gives its first character: what its descriptor reads comes after that.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static FILE *f;

static void *reads(void *arg) {
  assert(fgetc(f) == 'a');
  return arg;
}

int main(void) {
  pthread_t t;
  char c;
  f = fopen("letters", "w+");
  fputs("abc", f);
  fflush(f);
  rewind(f);
  pthread_create(&t, NULL, reads, NULL);
  pthread_join(t, NULL);
  assert(read(fileno(f), &c, 1) == 1);
  fclose(f);
  return 0;
}
