#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static char *shared;

static void *adds(void *arg) {
  shared[0]++;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  int file = open("f", O_CREAT | O_RDWR, 0600);
  ftruncate(file, 4096);
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) return 1;
  pthread_create(&t, NULL, adds, NULL);
  adds(NULL);
  pthread_join(t, NULL);
  munmap(shared, 4096);
  close(file);
  return 0;
}
