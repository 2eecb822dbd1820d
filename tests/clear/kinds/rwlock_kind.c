// Whether writers come before readers that read twice.
// STATEMENT:
// STATEMENT: pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
// STATEMENT: pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NP);
#include "all.h"
static pthread_rwlock_t l; static pthread_rwlockattr_t kind; static int x;
HELPERS
static void *w(void *p) { pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); int y = x; pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l); return y ? p : 0; }
int main(void) { pthread_rwlockattr_init(&kind); STATEMENT pthread_rwlock_init(&l, &kind); pthread_t t; pthread_create(&t, 0, w, 0); pthread_rwlock_wrlock(&l); x++; pthread_rwlock_unlock(&l); pthread_join(t, 0); return 0; }
