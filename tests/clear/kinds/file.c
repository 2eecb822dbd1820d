// What a file holds.
// STATEMENT:
// STATEMENT: (void)!write(f, "y", 1);
// STATEMENT: (void)!write(f, "n", 1);
// STATEMENT: unlink("/tmp/a");
// STATEMENT: (void)!write(f, "ny", 2); lseek(f, 0, SEEK_SET);
#include "all.h"

int x; static int f;
HELPERS
static void *w(void *p) { char b[4] = {0}; int f = open("/tmp/a", O_RDONLY); if (f >= 0 && read(f, b, 1) == 1 && b[0] == 'y') x++; if (f >= 0) close(f); return p; }
int main(void) { pthread_t t; f = open("/tmp/a", O_CREAT | O_RDWR, 0600); STATEMENT close(f); pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
