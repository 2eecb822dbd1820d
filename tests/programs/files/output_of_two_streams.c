// VERDICT: inconclusive
// SAYS: uses a file to which a stream has output that it has not flushed
// Two streams write to one file: the order is that in which their buffers are flushed.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *appends(void *arg) {
  FILE *f = fopen("both", "a");
  fputs("bb", f);
  fclose(f);
  return arg;
}

int main(void) {
  pthread_t t;
  char text[8] = {0};
  FILE *f = fopen("both", "w");
  fputs("a", f);
  pthread_create(&t, NULL, appends, NULL);
  pthread_join(t, NULL);
  fclose(f);
  f = fopen("both", "r");
  fgets(text, sizeof text, f);
  fclose(f);
  assert(strcmp(text, "abb") == 0);
  return 0;
}
