// Which files there are.
// STATEMENT:
// STATEMENT: close(open("/tmp/a", O_CREAT | O_RDWR, 0600));
// STATEMENT: fclose(fopen("/tmp/a", "w"));
// STATEMENT: close(open("/tmp/b", O_CREAT | O_RDWR, 0600));
#include "all.h"

int x;
HELPERS
static void *w(void *p) { if (access("/tmp/a", F_OK) == 0) x++; return p; }
int main(void) { pthread_t t; STATEMENT pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
