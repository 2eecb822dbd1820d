// Where the buffer of standard output lies.
// STATEMENT: setvbuf(stdout, g, _IOFBF, 64);
// STATEMENT: setvbuf(stdout, b, _IOFBF, 64);
// STATEMENT: setvbuf(stdout, b, _IONBF, 64);
// STATEMENT: setvbuf(stdout, b, _IOFBF, 64); setbuf(stdout, 0);
// LOCAL
#include "all.h"

char g[64];
int x;
HELPERS
static void *w(void *p) { char b[64]; b[0] = 0; STATEMENT printf("a%s", b); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; printf("%d", x); return 0; }
