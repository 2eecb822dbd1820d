// Where a thread can be cancelled.
// STATEMENT:
// STATEMENT: pthread_testcancel();
// STATEMENT: sleep(1);
// STATEMENT: usleep(1);
// STATEMENT: pause();
#include "all.h"

int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
HELPERS
static void *w(void *p) { pthread_mutex_lock(&m); STATEMENT x++; pthread_mutex_unlock(&m); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_cancel(t); pthread_join(t, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
