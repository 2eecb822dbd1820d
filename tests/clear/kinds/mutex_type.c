// A mutex's type.
// STATEMENT: pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
// STATEMENT:
// STATEMENT: pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
#include "all.h"

int x; pthread_mutexattr_t a; pthread_mutex_t m;
HELPERS
static void *w(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t t; pthread_mutexattr_init(&a); STATEMENT pthread_mutex_init(&m, &a); pthread_create(&t, 0, w, 0); pthread_join(t, 0); pthread_mutex_destroy(&m); return 0; }
