// The same by fprintf and fwrite.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static FILE *f;

static void *prints(void *arg) {
  fprintf(f, "%d", 1);
  return arg;
}

int main(void) {
  pthread_t t;
  f = fopen("f", "w+");
  pthread_create(&t, NULL, prints, NULL);
  fwrite("2", 1, 1, f);
  pthread_join(t, NULL);
  rewind(f);
  int c = fgetc(f);
  fclose(f);
  assert(c == '2');  // ERROR(assertion)!
  return 0;
}
