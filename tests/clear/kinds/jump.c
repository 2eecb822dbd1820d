// A longjmp leaves functions, and decides what setjmp returns.
// STATEMENT: leave(0);
// STATEMENT: leave(1);
// STATEMENT: leave(2);
// STATEMENT: if (x > 5) leave(1);
#include "all.h"

int x;
static jmp_buf here;
static void leave(int how) { if (how) longjmp(here, how); }
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
HELPERS
static void *w(void *p) {
  switch (setjmp(here)) {
    case 0: pthread_mutex_lock(&n); x++; STATEMENT pthread_mutex_unlock(&n); break;
    case 2: pthread_mutex_unlock(&n); break;
    default: leave(0);
  }
  return p;
}
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_join(t, 0); return 0; }
