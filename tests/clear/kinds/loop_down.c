// A loop that no longer ends.
// LOCAL: the statement uses variables of its function
// STATEMENT: for (unsigned char i = 10; i >= 1; i--) k++;
// STATEMENT: for (unsigned char i = 10; i >= 0; i--) k++;
#include "all.h"

atomic_int x; static unsigned char g;
static void run(int n, volatile int *k) { for (unsigned char i = 0; i < n; i++) ++*k; }
HELPERS
static void *w(void *p) { (void)g; (void)run; volatile int k = 0; STATEMENT x = k; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
