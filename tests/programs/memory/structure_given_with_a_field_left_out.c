// The same as an argument, which two registers hold.
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct settings {
  bool verbose;
  int level;
  long limit;
};

static struct settings current;

static void set(struct settings settings) { current = settings; }

static void *works(void *p) {
  struct settings settings;
  settings.level = 5;
  settings.limit = 7;
  set(settings);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return current.verbose;  // ERROR(uninitialised-read)!
}
