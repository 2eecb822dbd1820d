// VERDICT: clear
// A stream has no orientation until it is used, or is given one.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>

static void *uses(void *arg) {
  FILE *bytes = fopen("bytes", "w"), *wide = fopen("wide", "w"), *asked = fopen("asked", "w");
  assert(fwide(bytes, 0) == 0 && fwide(wide, 0) == 0 && fwide(asked, 0) == 0);
  fputc('a', bytes);
  fputwc(L'a', wide);
  assert(fwide(bytes, 0) < 0 && fwide(bytes, 1) < 0);
  assert(fwide(wide, 0) > 0 && fwide(wide, -1) > 0);
  assert(fwide(asked, 1) > 0 && fwide(asked, 0) > 0);
  fclose(bytes);
  fclose(wide);
  fclose(asked);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, uses, NULL);
  pthread_join(t, NULL);
  return 0;
}
