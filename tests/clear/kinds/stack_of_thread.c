// How a thread is made.
// STATEMENT: pthread_attr_init(&a);
// STATEMENT: pthread_attr_init(&a); pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
// STATEMENT: pthread_attr_init(&a); pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED); pthread_attr_setdetachstate(&a, PTHREAD_CREATE_JOINABLE);
// STATEMENT: pthread_attr_init(&a); pthread_attr_setguardsize(&a, 0);
// STATEMENT: pthread_attr_init(&a); pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM); pthread_attr_setschedpolicy(&a, SCHED_OTHER);
#include "all.h"
static pthread_attr_t a; static int x;
HELPERS
static void *w(void *p) { x++; return p; }
int main(void) { STATEMENT pthread_t t; pthread_create(&t, &a, w, 0); pthread_join(t, 0); x++; return 0; }
