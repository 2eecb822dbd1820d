// Calls through pointers fail by where these lead.
// STATEMENT: f = good;
// STATEMENT: f = 0;
// STATEMENT: f = table[1];
// STATEMENT: f = table[2];
#include "all.h"

int x;
static void good(void) {}
static void (*table[3])(void) = {good, good};
static void (*f)(void);
HELPERS
static void *w(void *p) { STATEMENT f(); (void)table; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; return 0; }
