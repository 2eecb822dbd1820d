// C11: what kind of mutex.
// STATEMENT: mtx_init(&m, mtx_plain | mtx_recursive);
// STATEMENT: mtx_init(&m, mtx_plain);
// STATEMENT: mtx_init(&m, mtx_timed | mtx_recursive);
// STATEMENT: mtx_init(&m, mtx_timed);
#include "all.h"
#include <threads.h>
static mtx_t m; static int x;
HELPERS
static int w(void *p) { mtx_lock(&m); mtx_lock(&m); x++; mtx_unlock(&m); mtx_unlock(&m); return 0; }
int main(void) { STATEMENT thrd_t t; thrd_create(&t, w, 0); mtx_lock(&m); x++; mtx_unlock(&m); thrd_join(t, 0); return 0; }
