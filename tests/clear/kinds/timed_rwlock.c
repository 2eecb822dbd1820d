// The same of a lock with readers.
// LOCAL: the statement uses variables of its function
// STATEMENT: if (pthread_rwlock_timedwrlock(&l, &later)) return p;
// STATEMENT: pthread_rwlock_timedwrlock(&l, &later);
// STATEMENT: if (pthread_rwlock_timedrdlock(&l, &later)) return p;
// STATEMENT: if (pthread_rwlock_trywrlock(&l)) return p;
#include "all.h"

int x; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static const struct timespec later = {1, 0};
HELPERS
static void *w(void *p) { (void)later; STATEMENT x++; pthread_rwlock_unlock(&l); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_rwlock_rdlock(&l); (void)*(volatile int *)&x; pthread_rwlock_unlock(&l); pthread_join(t, 0); return 0; }
