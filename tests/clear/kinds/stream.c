// Where a stream stands.
// STATEMENT:
// STATEMENT: fgetc(f);
// STATEMENT: fseek(f, 1, SEEK_SET);
// STATEMENT: ungetc('y', f);
// STATEMENT: fseek(f, 0, SEEK_SET);
#include "all.h"

int x; static FILE *f;
HELPERS
static void *w(void *p) { if (fgetc(f) == 'y') x++; return p; }
int main(void) { pthread_t t; f = tmpfile(); fputs("ny", f); rewind(f); STATEMENT  pthread_create(&t, 0, w, 0); x++; pthread_join(t, 0); return 0; }
