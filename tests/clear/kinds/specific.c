// Values by key.
// STATEMENT:
// STATEMENT: pthread_setspecific(k, (void *)1);
// STATEMENT: pthread_setspecific(k, (void *)0);
#include "all.h"

int x; pthread_key_t k;
HELPERS
static void *w(void *p) { STATEMENT if (pthread_getspecific(k)) x++; pthread_setspecific(k, 0); return p; }
int main(void) { pthread_t t; pthread_key_create(&k, 0); pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
