// An environment variable says that one thread is enough.
// SETTINGS: environment: {LOCKING: {unknown: {length: 3}}}
// SAYS: environment variable LOCKING = 
#include <pthread.h>
#include <stdlib.h>
#include <strings.h>

static int hits, locking;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
  if (locking) pthread_mutex_lock(&guard);
  hits++;  // RACE!
  if (locking) pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  const char *value = getenv("LOCKING");
  locking = value == 0 || strcasecmp(value, "off") != 0;
  pthread_t first, second;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
