// Text written to an array that is a part of its object.
// LOCAL: which text is meant
// STATEMENT: strcpy(s.name, "abc");
// STATEMENT: strcpy(s.name, "abcd");
// STATEMENT: strcat(s.name, three);
// STATEMENT: strncpy(s.name, three, 5);
// STATEMENT: sprintf(s.name, "%d", -123);
// STATEMENT: snprintf(s.name, 8, "%s", three + 1);
// STATEMENT: strcpy(&s.name[2], three + 1);
// STATEMENT: strcpy(rows[1], three); strcat(rows[1], three);
// STATEMENT: strcpy(u.few, "longer");
// STATEMENT: memset(s.name, 0, 6);
#include "all.h"

static struct { char name[4]; int b; } s = {"a", 0}; static char rows[3][4]; static char three[4] = "xyz";
static union { char few[4], many[8]; } u;
HELPERS
static void *w(void *p) { STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); (void)rows, (void)u, (void)three; pthread_join(t, 0); return s.b; }
