// LOCAL
// A block is given back by what is called at the end.
// STATEMENT: pthread_cleanup_push(gives, malloc(4)); pthread_cleanup_pop(1);
// STATEMENT: pthread_cleanup_push(gives, malloc(4)); pthread_cleanup_pop(0);
// STATEMENT: void *b = malloc(4); gives(b);
// STATEMENT: void *b = malloc(4); keeps(b);
#include "all.h"

static void gives(void *p) { free(p); }
static void keeps(void *p) { (void)p; }
HELPERS
static void *w(void *p) { (void)gives, (void)keeps; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); return 0; }
