// What a function of the library calls back writes to private memory.
// STATEMENT: qsort(two, 2, sizeof *two, sets);
// STATEMENT: qsort(two, 1, sizeof *two, sets);
// STATEMENT: qsort(two, 2, sizeof *two, keeps);
// STATEMENT: bsearch(two, two, 0, sizeof *two, sets);
#include "all.h"

int x;
static int given_back;
static int two[2] = {1, 2};
static int sets(const void *a, const void *b) { given_back = 1; return *(const int *)a - *(const int *)b; }
static int keeps(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
HELPERS
static void *w(void *p) { given_back = 0; keeps(two, two); STATEMENT pthread_mutex_lock(&n); x++; if (given_back) pthread_mutex_unlock(&n); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_join(t, 0); return 0; }
