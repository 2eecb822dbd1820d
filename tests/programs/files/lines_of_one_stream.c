// Which thread gets which line of a stream depends on the order.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static FILE *lines;
static char got[8];

static void *reads(void *arg) {
  fgets(got, sizeof got, lines);
  return arg;
}

int main(void) {
  pthread_t t;
  char mine[8];
  lines = fopen("lines", "w+");
  fputs("a\nb\n", lines);
  rewind(lines);
  pthread_create(&t, NULL, reads, NULL);
  fgets(mine, sizeof mine, lines);
  pthread_join(t, NULL);
  fclose(lines);
  assert(mine[0] == 'a');  // ERROR(assertion)!
  return 0;
}
