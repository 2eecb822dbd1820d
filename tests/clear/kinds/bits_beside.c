// Members that share a unit of memory.
// LOCAL: a declaration
// STATEMENT: struct { char a; char b; } s;
// STATEMENT: struct { int a : 4; int b : 4; } s;
// STATEMENT: struct { int a : 4; int : 0; int b : 4; } s;
// STATEMENT: union { char a; char b; } s;
#include "all.h"
HELPERS
static STATEMENT
static void *w(void *p) { s.a = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); s.b = 1; pthread_join(t, 0); return 0; }
