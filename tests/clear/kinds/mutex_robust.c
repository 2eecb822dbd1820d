// What becomes of a mutex whose owner ended.
// STATEMENT: pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
// STATEMENT:
// STATEMENT: pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_STALLED);
#include "all.h"

int x; pthread_mutexattr_t a; pthread_mutex_t m;
HELPERS
static void *w(void *p) { pthread_mutex_lock(&m); return p; }
int main(void) { pthread_t t; pthread_mutexattr_init(&a); STATEMENT pthread_mutex_init(&m, &a); pthread_create(&t, 0, w, 0); pthread_join(t, 0); if (pthread_mutex_lock(&m) == EOWNERDEAD) pthread_mutex_consistent(&m); pthread_mutex_unlock(&m); return 0; }
