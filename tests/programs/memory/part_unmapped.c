// Half of a mapping goes.
// VERDICT: inconclusive
// SAYS: munmap of a part of a mapping
#include <pthread.h>
#include <sys/mman.h>

static char *pages;

static void *worker(void *arg) {
  pages[4096] = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return 1;
  pthread_create(&t, NULL, worker, NULL);
  munmap(pages + 4096, 4096);
  pthread_join(t, NULL);
  return 0;
}
