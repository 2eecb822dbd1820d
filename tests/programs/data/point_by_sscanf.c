// Two numbers with a comma between them; the sum is believed to be small.
// SETTINGS: arguments: [{unknown: {length: 3}}]
// SAYS: argv[1] = \"8,9\"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int x, y;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *check(void *unused) {
  pthread_mutex_lock(&guard);
  assert(x + y != 17 || x > y);  // ERROR(assertion)!
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(int argc, char **argv) {
  if (argc != 2) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, check, 0);
  int first = 0, second = 0;
  if (sscanf(argv[1], "%1d,%1d", &first, &second) == 2) {
    pthread_mutex_lock(&guard);
    x = first;
    y = second;
    pthread_mutex_unlock(&guard);
  }
  pthread_join(thread, 0);
  return 0;
}
