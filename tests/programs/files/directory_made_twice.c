// Both look, both make.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static void *ensures(void *arg) {
  if (access("cache", F_OK) != 0) assert(mkdir("cache", 0700) == 0);  // ERROR(assertion)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, ensures, NULL);
  ensures(NULL);
  pthread_join(t, NULL);
  return 0;
}
