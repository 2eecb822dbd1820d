// What is called through a pointer wrote to private memory, and does so no more.
// STATEMENT: f = sets;
// STATEMENT: f = keeps;
// STATEMENT: f = unsets;
#include "all.h"

int x;
static int given_back;
static void sets(void) { given_back = 1; }
static void keeps(void) {}
static void unsets(void) { given_back = 0; }
static void (*f)(void) = keeps;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
HELPERS
static void *w(void *p) { given_back = 0; (void)sets; (void)unsets; STATEMENT f(); pthread_mutex_lock(&n); x++; if (given_back) pthread_mutex_unlock(&n); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_join(t, 0); return 0; }
