// A variadic argument decides about the lock.
// STATEMENT: act(1, 1);
// STATEMENT: act(1, 0);
// STATEMENT: act(1, 2);
// STATEMENT:
#include "all.h"

int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void act(int n, ...) { va_list l; va_start(l, n); int lock = va_arg(l, int); va_end(l); if (lock) pthread_mutex_lock(&m); x++; if (lock) pthread_mutex_unlock(&m); }
HELPERS
static void *w(void *p) { STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); act(1, 1); pthread_join(t, 0); return 0; }
