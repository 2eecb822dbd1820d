// Numbers that a seed decides.
// STATEMENT: srand(1);
// STATEMENT: srand(2);
// STATEMENT: srand(4);
// STATEMENT: srand(5);
// STATEMENT: srand(6);
#include "all.h"

int x; 
HELPERS
static void *w(void *p) { STATEMENT int r = rand() % 2; srand(3); for (int i = 0; i < 5; i++) rand(); if (r) x++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
