// Whether a thread can be cancelled.
// STATEMENT: pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
// STATEMENT:
// STATEMENT: pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
// STATEMENT: pthread_testcancel();
#include "all.h"

int x; 
HELPERS
static void *w(void *p) { STATEMENT sleep(1); x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_cancel(t); void *r; pthread_join(t, &r); assert(r != PTHREAD_CANCELED); return 0; }
