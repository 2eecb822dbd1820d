// Another thread clears the flag that says that the end was seen.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static FILE *f;

static void *clears(void *arg) {
  clearerr(f);
  return arg;
}

int main(void) {
  pthread_t t;
  f = fopen("f", "w+");
  fgetc(f);
  pthread_create(&t, NULL, clears, NULL);
  int end = feof(f);
  pthread_join(t, NULL);
  fclose(f);
  assert(end);  // ERROR(assertion)!
  return 0;
}
