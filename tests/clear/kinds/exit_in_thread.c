// A thread ends the process inside of a section.
// STATEMENT: exit(0);
// STATEMENT:
#include "all.h"

int x; sem_t s;
HELPERS
static void *w(void *p) { sem_wait(&s); x = 1; STATEMENT x = 2; sem_post(&s); return p; }
int main(void) { pthread_t t; sem_init(&s, 0, 1); pthread_create(&t, 0, w, 0); sem_wait(&s); assert(x != 2); sem_post(&s); pthread_join(t, 0); return 0; }
