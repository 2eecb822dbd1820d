// VERDICT: inconclusive
// SAYS: the content of a file that was mapped to be written
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static char *shared;

static void *writes(void *arg) {
  shared[0] = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  char byte = 0;
  int file = open("f", O_CREAT | O_RDWR, 0600);
  ftruncate(file, 4096);
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) return 1;
  pthread_create(&t, NULL, writes, NULL);
  pthread_join(t, NULL);
  read(file, &byte, 1);
  return byte == 0;
}
