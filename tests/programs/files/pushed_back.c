// What another thread pushes back is read.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static FILE *f;

static void *back(void *arg) {
  ungetc('z', f);
  return arg;
}

int main(void) {
  pthread_t t;
  f = fopen("f", "w+");
  fputs("ab", f);
  rewind(f);
  pthread_create(&t, NULL, back, NULL);
  int c = fgetc(f);
  pthread_join(t, NULL);
  fclose(f);
  assert(c == 'a');  // ERROR(assertion)!
  return 0;
}
