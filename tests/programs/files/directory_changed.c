// Another thread changes the working directory.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *moves(void *arg) {
  chdir("d");
  return arg;
}

int main(void) {
  pthread_t t;
  char before[100], now[100];
  mkdir("d", 0700);
  getcwd(before, 100);
  pthread_create(&t, NULL, moves, NULL);
  getcwd(now, 100);
  pthread_join(t, NULL);
  assert(strcmp(before, now) == 0);  // ERROR(assertion)!
  return 0;
}
