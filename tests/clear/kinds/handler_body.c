// What a handler does to the thread that it interrupts.
// STATEMENT:
// STATEMENT: x = 2;
// STATEMENT: pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m);
// STATEMENT: sem_post(&s);
// STATEMENT: a = 1;
// STATEMENT: assert(a == 0);
// STATEMENT: errno = EBUSY;
// STATEMENT: pause();
#include "all.h"

static int x; static atomic_int a; static sem_t s; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
HELPERS
static void h(int n) { (void)n; STATEMENT }
static void *w(void *p) { pthread_mutex_lock(&m); x = 1; int y = x; pthread_mutex_unlock(&m); a = 2; return y == x ? p : 0; }
int main(void) { pthread_t t; sem_init(&s, 0, 0); signal(SIGUSR1, h); pthread_create(&t, 0, w, 0); pthread_kill(t, SIGUSR1); pthread_join(t, 0); return sem_trywait(&s) == 0; }
