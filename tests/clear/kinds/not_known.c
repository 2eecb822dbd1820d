// What ends a path as a limit, in the thread or in what it calls.
// STATEMENT: perhaps(0);
// STATEMENT: perhaps(1);
// STATEMENT: perhaps(2);
// STATEMENT: nowhere_to_be_found();
// STATEMENT: __asm__ volatile("rdpmc" : : "c"(0) : "rax", "rdx");
// STATEMENT: x++;
#include "all.h"

int x;
void nowhere_to_be_found(void);
static void perhaps(int how) {
  if (how == 1) nowhere_to_be_found();
  if (how == 2) __asm__ volatile("rdpmc" : : "c"(0) : "rax", "rdx");
}
HELPERS
static void *w(void *p) { STATEMENT perhaps(0); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; return 0; }
