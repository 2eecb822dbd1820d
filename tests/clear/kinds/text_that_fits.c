// LOCAL
// What is printed into memory: the text and each number decide whether it fits.
// STATEMENT: sprintf(b, "%d", 1234567);
// STATEMENT: sprintf(b, "%d", 12345678);
// STATEMENT: sprintf(b, "n=%d", n);
// STATEMENT: sprintf(b, "number=%d", n);
// STATEMENT: sprintf(b, "%07d", n);
// STATEMENT: sprintf(b, "%08d", n);
// STATEMENT: int at = snprintf(b, 8, "%d", 123); sprintf(b + at, "%d", 4567);
// STATEMENT: int at = snprintf(b, 8, "%d", 1234); sprintf(b + at, "%d", 4567);
#include "all.h"

HELPERS
static void *w(void *p) { char b[8]; int n = 7; (void)n; STATEMENT return b[0] == 1 ? p : 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; }
