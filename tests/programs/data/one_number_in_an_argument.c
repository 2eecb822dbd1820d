// One number of an argument divides by zero, and only after the other thread.
// SETTINGS: arguments: [{unknown: {length: 2}}]
// SAYS: -7
#include <pthread.h>
#include <stdlib.h>

static long scale = 1, result;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *set(void *text) {
  char *end;
  const long number = strtol(text, &end, 10);
  if (end == (char *)text || *end != 0) return 0;
  pthread_mutex_lock(&guard);
  scale = number + 7;
  pthread_mutex_unlock(&guard);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, set, argv[1]);
  pthread_mutex_lock(&guard);
  result = 1000 / scale;  // ERROR(division-by-zero)!
  pthread_mutex_unlock(&guard);
  pthread_join(thread, 0);
  return 0;
}
