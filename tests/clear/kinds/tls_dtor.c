// A destructor of a thread-specific value.
// STATEMENT:
// STATEMENT: pthread_setspecific(k, &x);
#include "all.h"

int x; static pthread_key_t k; static void d(void *v) { (void)v; x++; }
HELPERS
static void *w(void *p) { STATEMENT return p; }
int main(void) { pthread_t t; pthread_key_create(&k, d); pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
