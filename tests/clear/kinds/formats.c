// What a format takes decides whether printing fails; its words do not.
// STATEMENT: printf("count %d\n", x);
// STATEMENT: printf("another text %d\n", 5);
// STATEMENT: printf("%s\n", text);
// STATEMENT: printf("%s\n", none);
// STATEMENT: printf("%.2s\n", four);
// STATEMENT: printf("%d %s\n", 1);
// STATEMENT: fprintf(stderr, "%s", four);
#include "all.h"

int x;
static char four[4] = {'f', 'o', 'u', 'r'}, *text = "text", *none;
HELPERS
static void *w(void *p) { STATEMENT (void)text; (void)none; (void)four; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); x++; return 0; }
