// A meeting point between write and read.
// STATEMENT: pthread_barrier_wait(&b); /*=clear*/
// STATEMENT: /*=findings*/
// STATEMENT: if (x > 5) pthread_barrier_wait(&b); /*=findings*/
#include "all.h"
static pthread_barrier_t b; static int x;
HELPERS
static void *w(void *p) { x = 1; STATEMENT return p; }
int main(void) { pthread_barrier_init(&b, 0, 2); pthread_t t; pthread_create(&t, 0, w, 0); STATEMENT int y = x; pthread_join(t, 0); return y > 1; }
