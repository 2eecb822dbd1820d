// Texts that a library function keeps, or takes apart: what a thread is called, the options that it is given.
// LOCAL: the statement uses variables of its function
// STATEMENT:
// STATEMENT: own[0] = 'z';
// STATEMENT: own[1] = 'z';
// STATEMENT: words[1] = own;
#define _GNU_SOURCE
#include "all.h"
#include <getopt.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int calls;
HELPERS
static void *w(void *p) {
  char own[8] = "-y", now[16], flag[] = "--all", *words[] = {"w", flag, 0};
  const struct option options[] = {{"all", no_argument, 0, 'a'}, {0, 0, 0, 0}};
  STATEMENT
  pthread_setname_np(pthread_self(), own);
  pthread_mutex_lock(&m);
  calls += getopt_long(2, words, "a", options, 0) == 'a';
  pthread_mutex_unlock(&m);
  pthread_getname_np(pthread_self(), now, sizeof now);
  assert(strcmp(now, "-y") == 0);
  return p;
}
int main(void) { pthread_t t; opterr = 0; pthread_create(&t, 0, w, 0); pthread_join(t, 0); assert(calls == 1); return 0; }
