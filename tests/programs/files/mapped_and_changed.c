// VERDICT: inconclusive
// SAYS: a change of a file that was mapped
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int file;

static void *writes(void *arg) {
  write(file, "b", 1);
  return arg;
}

int main(void) {
  pthread_t t;
  file = open("f", O_CREAT | O_TRUNC | O_RDWR, 0600);
  write(file, "a", 1);
  const char *text = mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
  if (text == MAP_FAILED) return 1;
  lseek(file, 0, SEEK_SET);
  pthread_create(&t, NULL, writes, NULL);
  const int seen = text[0];
  pthread_join(t, NULL);
  return seen == 0;
}
