// An index of an array that is a part of its object.
// LOCAL: which element is meant
// STATEMENT: s.a[3] = 1;
// STATEMENT: s.a[4] = 1;
// STATEMENT: s.a[four] = 1;
// STATEMENT: s.a[four - 5] = 1;
// STATEMENT: m[1][four] = 1;
// STATEMENT: m[four - 3][3] = 1;
// STATEMENT: s.end = &s.a[four];
// STATEMENT: u.few[four] = 1;
// STATEMENT: { struct s own = {0}; own.a[4] = 1; s.b = own.b; }
// STATEMENT: s.end = s.tail + four; s.tail[3] = 1;
#include "all.h"

struct s { int a[4], b, *end, tail[4]; };
static struct s s; static int m[3][4], four = 4; static union { int few[2], many[8]; } u;
HELPERS
static void *w(void *p) { STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); (void)m, (void)four, (void)u; pthread_join(t, 0); return s.b; }
