// Which handler catches what is thrown.
// STATEMENT: struct thrown : public base {};
// STATEMENT: struct thrown : private base {};
// STATEMENT: struct thrown { int base; };
// LOCAL
#include "all.h"
#include <pthread.h>
struct base {};
HELPERS
STATEMENT
int x;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *p) {
  try { pthread_mutex_lock(&n); x++; throw thrown(); } catch (const base &) { pthread_mutex_unlock(&n); } catch (...) {}
  return p;
}
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_join(t, 0); return 0; }
