// How large a thread's stack is.
// STATEMENT: pthread_attr_setstacksize(&a, 1 << 20);
// STATEMENT:
// STATEMENT: pthread_attr_setstacksize(&a, 32 << 10);
// STATEMENT: pthread_attr_setstacksize(&a, size);
// STATEMENT: pthread_attr_setstacksize(&a, 32 << 10); pthread_attr_init(&a);
#include "all.h"

int x; static pthread_attr_t a; static size_t size = 20000;
HELPERS
static void *w(void *p) { char text[64 << 10]; memset(text, 1, sizeof text); x += text[x]; return p; }
int main(void) { pthread_t t; pthread_attr_init(&a); STATEMENT (void)size; pthread_create(&t, &a, w, 0); pthread_join(t, 0); x++; return 0; }
