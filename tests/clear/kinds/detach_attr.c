// The same by its attributes.
// STATEMENT:
// STATEMENT: pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
// STATEMENT: pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
#include "all.h"

int x; pthread_attr_t a; static pthread_t t;
HELPERS
static void *w(void *p) { x++; return p; }
int main(void) { pthread_attr_init(&a); STATEMENT pthread_create(&t, &a, w, 0); pthread_join(t, 0); return x - 1; }
