// VERDICT: clear
// STATS: executions=1
// Each thread writes to a stream of its own, and reads it again.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static void *writes(void *arg) {
  FILE *f = arg;
  fprintf(f, "%d", 12);
  fputs("3", f);
  rewind(f);
  assert(fgetc(f) == '1' && !feof(f));
  ungetc('4', f);
  assert(fgetc(f) == '4');
  return NULL;
}

int main(void) {
  pthread_t t;
  FILE *a = fopen("a", "w+"), *b = fopen("b", "w+");
  pthread_create(&t, NULL, writes, a);
  writes(b);
  pthread_join(t, NULL);
  fclose(a);
  fclose(b);
  return 0;
}
