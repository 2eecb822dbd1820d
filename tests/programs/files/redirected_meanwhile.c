// What the number means changes while it is written to.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int a, b;

static void *redirects(void *arg) {
  dup2(b, a);
  return arg;
}

int main(void) {
  pthread_t t;
  a = open("a", O_CREAT | O_RDWR, 0600);
  b = open("b", O_CREAT | O_RDWR, 0600);
  pthread_create(&t, NULL, redirects, NULL);
  write(a, "x", 1);
  pthread_join(t, NULL);
  assert(lseek(b, 0, SEEK_END) == 0);  // ERROR(assertion)!
  return 0;
}
