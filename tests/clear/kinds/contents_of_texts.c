// What a text holds decides how far a library call reads or writes; no other thread sees it.
// STATEMENT: text[0] = 1;
// STATEMENT: text[3] = 1;
// STATEMENT: memset(text, 1, 4);
// STATEMENT: text[3] = text[2];
// STATEMENT: form[1] = 's';
// STATEMENT: long_one[9] = 'b';
#include "all.h"

#include <stdio.h>
#include <string.h>

static char text[4] = {1, 1, 1, 0}, form[] = "%d", long_one[16] = "123456789", copy[10];
static size_t length;
HELPERS
static void *w(void *p) {
  char out[20];
  STATEMENT
  length = strlen(text);
  snprintf(out, sizeof out, form, 1);
  strcpy(copy, long_one);
  return p;
}
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return length == 99; }
