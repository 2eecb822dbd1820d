// A loop that counts ends, but perhaps too late.
// STATEMENT: for (long i = 0; i < 3; i++) z = i;
// STATEMENT: for (long i = 0; i < 3000000000L; i++) z = i;
// STATEMENT: for (int i = 0; i < 3000; i++) for (int j = 0; j < 3000; j++) for (int k = 0; k < 300; k++) z = k;
// STATEMENT: for (long i = many; i > 0; i--) z = i;
// STATEMENT: for (long i = 0; i < 100; i++) z = i;
#include "all.h"

int x;
static long many = 4000000000L;
volatile long z;
HELPERS
static void *w(void *p) { STATEMENT x++; (void)many; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; return 0; }
