// A number with a sign: only the negative one is wrong.
// SETTINGS: arguments: [{unknown: {length: 2}}]
// SAYS: argv[1] = \"-4\"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int number;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *check(void *unused) {
  pthread_mutex_lock(&guard);
  assert(number != -4);  // ERROR(assertion)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(int argc, char **argv) {
  int n = 0;
  if (argc != 2 || sscanf(argv[1], "%d", &n) != 1) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, check, 0);
  pthread_mutex_lock(&guard);
  number = n;
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
