// What a thread's local variables need of its stack.
// STATEMENT: { char z[100]; use(z, sizeof z); }
// STATEMENT: { char z[9 << 20]; use(z, sizeof z); }
// STATEMENT: { char z[size]; use(z, sizeof z); }
// STATEMENT: { char z[5 << 20]; use(z, sizeof z); } { char z[5 << 20]; use(z, sizeof z); }
// STATEMENT: { char y[5 << 20]; char z[5 << 20]; use(y, sizeof y); use(z, sizeof z); use(y, sizeof y); }
// STATEMENT: use(alloca(size), size);
// STATEMENT: for (int i = 0; i < 9; i++) use(alloca(1 << 20), 1 << 20);
// STATEMENT: deep(3);
// STATEMENT: deep(90);
#include "all.h"
#include <alloca.h>

int x; static size_t size = 10 << 20; static volatile char sink;
static void use(char *z, size_t n) { memset(z, 1, n); sink = z[n / 2]; }
static void deep(int n) { char z[100 << 10]; use(z, sizeof z); if (n > 0) deep(n - 1); sink = z[n]; }
HELPERS
static void *w(void *p) { STATEMENT x++; return p; }
int main(void) { pthread_t t; deep(1); use(&(char){0}, 1); (void)size; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; return 0; }
