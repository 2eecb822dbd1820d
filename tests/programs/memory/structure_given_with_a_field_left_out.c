// The same as an argument, which is too large for registers.
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct settings {
  bool verbose;
  int level;
  long limit, more;
};

static struct settings current;

static void set(struct settings settings) { current = settings; }

static void *works(void *p) {
  struct settings settings;
  settings.level = 5;
  settings.limit = settings.more = 7;
  set(settings);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  if (current.verbose) return 1;  // ERROR(uninitialised-read)!
  return 0;
}
