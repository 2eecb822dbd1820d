// The size of a private array, and whether it is constant, in code that stays as it is.
// STATEMENT: static int a[4] = {1};
// STATEMENT: static int a[3] = {1};
// STATEMENT: static const int a[4] = {1};
// STATEMENT: static int a[5] = {1};
// LOCAL
#include "all.h"

int x;
HELPERS
STATEMENT
static void *w(void *p) { for (int i = 0; i < 4; i++) ((int *)a)[i] = i; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; return 0; }
