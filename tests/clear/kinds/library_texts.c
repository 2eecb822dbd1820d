// What a library function reads of memory that only its own thread sees.
// LOCAL: the statement uses variables of its function
// STATEMENT:
// STATEMENT: from[1] = 'c';
// STATEMENT: mode[0] = 'w';
// STATEMENT: name[0] = 'q';
#define _GNU_SOURCE
#include "all.h"
#include <locale.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int good;
HELPERS
static void *w(void *p) {
  char from[3] = "ab", to[3] = "", mode[2] = "r", name[2] = "C", text[2] = "x";
  STATEMENT
  swab(from, to, 2);
  FILE *f = fmemopen(text, 1, mode);
  pthread_mutex_lock(&m);
  good += to[0] == 'b';
  good += setlocale(LC_ALL, name) != 0;
  good += fgetc(f) == 'x';
  pthread_mutex_unlock(&m);
  fclose(f);
  return p;
}
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); assert(good == 3); return 0; }
