// Functions that a private table names, in code that stays as it is.
// STATEMENT: static const struct ops ops = {lock, unlock};
// STATEMENT: static const struct ops ops = {nothing, nothing};
// STATEMENT: static const struct ops ops = {lock, nothing};
// STATEMENT: static const struct ops ops = {0, unlock};
// LOCAL
#include "all.h"

int x;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static void lock(void) { pthread_mutex_lock(&n); }
static void unlock(void) { pthread_mutex_unlock(&n); }
static void nothing(void) {}
struct ops { void (*begin)(void), (*end)(void); };
HELPERS
STATEMENT
static void *w(void *p) { ops.begin(); x++; ops.end(); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); lock(); x++; unlock(); nothing(); pthread_join(t, 0); return 0; }
