// A variable whose end unlocks.
// LOCAL: an attribute
// STATEMENT: __attribute__((cleanup(leave)))
// STATEMENT:
#include "all.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int x;
HELPERS
static void leave(pthread_mutex_t **p) { pthread_mutex_unlock(*p); }
static void add(void) { STATEMENT pthread_mutex_t *held = &m; pthread_mutex_lock(held); x++; }
static void *w(void *p) { add(); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); add(); pthread_join(t, 0); return 0; }
