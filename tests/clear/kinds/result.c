// A thread's result.
// LOCAL: the statement uses variables of its function
// STATEMENT:
// STATEMENT: return (void *)2;
// STATEMENT: pthread_exit((void *)3);
// STATEMENT: pthread_exit((void *)1);
#include "all.h"

int x;
HELPERS
static void *w(void *p) { (void)p; STATEMENT return (void *)1; }
int main(void) { pthread_t t; void *r; pthread_create(&t, 0, w, 0); pthread_join(t, &r); assert(r == (void *)1); return 0; }
