// Once, or each time.
// STATEMENT: pthread_once(&once, make);
// STATEMENT: make();
// STATEMENT: if (!made) make();
// STATEMENT: pthread_once(&once, make); pthread_once(&once, make);
#include "all.h"
static pthread_once_t once = PTHREAD_ONCE_INIT; static int made;
static void make(void) { made = 1; }
HELPERS
static void *w(void *p) { STATEMENT return made ? p : 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); STATEMENT pthread_join(t, 0); return made - 1; }
