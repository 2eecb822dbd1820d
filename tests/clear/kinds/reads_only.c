// Library functions that only read fail by what they read.
// STATEMENT: k = memcmp(four, other, 4);
// STATEMENT: k = memcmp(four, other, 40);
// STATEMENT: k = (int)strlen(other);
// STATEMENT: k = (int)strlen(four);
// STATEMENT: k = strcmp(other, none);
// STATEMENT: k = atoi(none);
// STATEMENT: puts(none);
// STATEMENT: puts("two words");
#include "all.h"

int x;
volatile int k;
static char four[4] = {'f', 'o', 'u', 'r'}, other[8] = "other", *none;
HELPERS
static void *w(void *p) { STATEMENT x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; return 0; }
