// Which text comes first depends on the order.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static FILE *f;

static void *puts_b(void *arg) {
  fputs("b", f);
  return arg;
}

int main(void) {
  pthread_t t;
  f = fopen("f", "w+");
  pthread_create(&t, NULL, puts_b, NULL);
  fputs("a", f);
  pthread_join(t, NULL);
  rewind(f);
  int c = fgetc(f);
  fclose(f);
  assert(c == 'a');  // ERROR(assertion)!
  return 0;
}
