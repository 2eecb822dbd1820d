// The stack of a thread by its attributes.
// STATEMENT:
// STATEMENT: pthread_attr_setstacksize(&a, 1 << 20);
// STATEMENT: pthread_attr_setstacksize(&a, 1);
// STATEMENT: assert(pthread_attr_setstacksize(&a, 1) == 0);
// STATEMENT: pthread_attr_setguardsize(&a, 0);
#include "all.h"

int x; pthread_attr_t a;
HELPERS
static void *w(void *p) { x++; return p; }
int main(void) { pthread_t t; pthread_attr_init(&a); STATEMENT pthread_create(&t, &a, w, 0); pthread_join(t, 0); return x - 1; }
