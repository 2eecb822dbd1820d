// Calls that end a path as a limit although the library's table has them; their results are not used.
// STATEMENT: perhaps(0);
// STATEMENT: perhaps(1);
// STATEMENT: execl("/bin/true", "true", (char *)0);
// STATEMENT: malloc_trim(0);
// STATEMENT: (void)!system("true");
// STATEMENT: fetestexcept(FE_ALL_EXCEPT);
// STATEMENT: mprotect(0, 0, PROT_NONE);
// STATEMENT: setitimer(ITIMER_REAL, 0, 0);
#include "all.h"

#include <fenv.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/time.h>

int x;
static void perhaps(int how) {
  if (how) fork();
}
HELPERS
static void *w(void *p) { x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); STATEMENT return 0; }
