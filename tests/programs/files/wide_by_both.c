// Wide characters into one stream: either may be first.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <wchar.h>

static FILE *f;

static void *puts_one(void *arg) {
  fputwc(*(wchar_t *)arg, f);
  return NULL;
}

int main(void) {
  pthread_t t;
  wchar_t a = L'a', b = L'b';
  f = fopen("f", "w+");
  pthread_create(&t, NULL, puts_one, &a);
  puts_one(&b);
  pthread_join(t, NULL);
  rewind(f);
  assert(fgetwc(f) == L'b');  // ERROR(assertion)!
  fclose(f);
  return 0;
}
