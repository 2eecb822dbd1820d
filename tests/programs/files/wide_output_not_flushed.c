// VERDICT: inconclusive
// SAYS: uses a file to which a stream has output that it has not flushed
// Wide characters stay in the buffer of a stream, too.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>

static void *writes(void *arg) {
  FILE *out = fopen("data", "w");
  fputws(L"data", out);
  FILE *in = fopen("data", "r");
  assert(fgetc(in) == EOF);
  fclose(in);
  fclose(out);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writes, NULL);
  pthread_join(t, NULL);
  return 0;
}
