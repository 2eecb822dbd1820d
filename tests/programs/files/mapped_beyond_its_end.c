// VERDICT: inconclusive
// SAYS: mmap() of more than the pages of the file
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static char *shared;

static void *writes(void *arg) {
  shared[4096] = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  int file = open("f", O_CREAT | O_RDWR, 0600);
  ftruncate(file, 100);
  shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) return 1;
  pthread_create(&t, NULL, writes, NULL);
  pthread_join(t, NULL);
  return 0;
}
