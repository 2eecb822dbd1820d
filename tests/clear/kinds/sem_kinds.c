// Semaphores: for ever, for a while, not at all.
// STATEMENT: sem_wait(&s);
// STATEMENT: sem_timedwait(&s, &later);
// STATEMENT: while (sem_timedwait(&s, &later)) {}
// STATEMENT: sem_trywait(&s);
// STATEMENT: while (sem_trywait(&s)) sched_yield();
// STATEMENT: for (int i = 0; i < 3 && sem_trywait(&s); i++) {}
#include "all.h"
static sem_t s; static int x; static struct timespec later = {5, 0};
HELPERS
static void *w(void *p) { x = 1; sem_post(&s); return p; }
int main(void) { sem_init(&s, 0, 0); pthread_t t; pthread_create(&t, 0, w, 0); STATEMENT x++; pthread_join(t, 0); return 0; }
