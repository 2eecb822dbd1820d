// VERDICT: inconclusive
// SAYS: mmap() of a file
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static char *shared;

static void *adds(void *arg) {
  if (shared) shared[0]++;
  return arg;
}

int main(void) {
  pthread_t t;
  int file = open("f", O_CREAT | O_RDWR, 0600);
  ftruncate(file, 4096);
  void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at != MAP_FAILED) shared = at;
  pthread_create(&t, NULL, adds, NULL);
  adds(NULL);
  pthread_join(t, NULL);
  return 0;
}
