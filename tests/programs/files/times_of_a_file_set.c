// VERDICT: inconclusive
// SAYS: asks about a file whose times the program has set (utime)
// The times of files are not kept.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <utime.h>

static void *sets(void *arg) {
  struct stat about;
  const struct utimbuf times = {5, 5};
  fclose(fopen("old", "w"));
  utime("old", &times);
  if (stat("old", &about) == 0) assert(about.st_mtime == 5);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sets, NULL);
  pthread_join(t, NULL);
  return 0;
}
