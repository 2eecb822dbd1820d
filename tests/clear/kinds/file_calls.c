// Calls on files between a look and a use.
// STATEMENT: unlink("f");
// STATEMENT:
// STATEMENT: rename("f", "g");
// STATEMENT: truncate("f", 0);
// STATEMENT: close(open("f", O_RDONLY));
// STATEMENT: close(open("f", O_WRONLY | O_TRUNC));
// STATEMENT: chmod("f", 0);
#include "all.h"
#include <sys/stat.h>
HELPERS
static void *w(void *q) { STATEMENT return q; }
int main(void) { int f = open("f", O_CREAT | O_RDWR, 0600); assert(write(f, "x", 1) == 1); close(f); pthread_t t; pthread_create(&t, 0, w, 0); if (access("f", F_OK) == 0) { f = open("f", O_RDONLY); char c; assert(f >= 0); assert(read(f, &c, 1) == 1); close(f); } pthread_join(t, 0); return 0; }
