// Calls of every kind that fail leave errno, which their own thread looks at.
// STATEMENT:
// STATEMENT: fsync(-1);
// STATEMENT: isatty(99);
// STATEMENT: sysconf(9999);
// STATEMENT: log2(-1);
// STATEMENT: fmodf(1, zero);
// STATEMENT: ldexpl(1, 99999);
// STATEMENT: clock_gettime(9999, &now);
// STATEMENT: mlock((void *)1, 1);
// STATEMENT: sem_post(&most);
// STATEMENT: dup2(99, 98);
#include "all.h"
#include <math.h>
#include <semaphore.h>
#include <time.h>
#include <sys/mman.h>

static volatile float zero;
static struct timespec now;
static sem_t most;
HELPERS
static void *w(void *p) { errno = 0; STATEMENT if (errno) abort(); return p; }
int main(void) { (void)now; sem_init(&most, 0, 0x7fffffff); pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; }
