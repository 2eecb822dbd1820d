// A semaphore that the clock may refuse.
// LOCAL: the statement uses variables of its function
// STATEMENT: sem_wait(&s);
// STATEMENT: if (sem_timedwait(&s, &later)) return p;
// STATEMENT: sem_timedwait(&s, &later);
// STATEMENT: for (int k = 0; k < 3 && sem_timedwait(&s, &later); k++) {}
// STATEMENT: while (sem_trywait(&s)) sched_yield();
#include "all.h"

int x; sem_t s; static const struct timespec later = {1, 0};
HELPERS
static void *w(void *p) { (void)later; STATEMENT x++; return p; }
int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, w, 0); x++; sem_post(&s); pthread_join(t, 0); return 0; }
