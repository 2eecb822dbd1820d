// Rights that are there are given again.
#include <pthread.h>
#include <sys/mman.h>

static char *page;

static void *worker(void *arg) {
  page[0] = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 1;
  pthread_create(&t, NULL, worker, NULL);
  if (mprotect(page + 4096, 4096, PROT_READ | PROT_WRITE) != 0) return 2;
  if (mprotect(page + 1, 4096, PROT_READ) == 0) return 3;
  if (madvise(page, 8192, MADV_WILLNEED) != 0) return 4;
  pthread_join(t, NULL);
  munmap(page, 8192);
  return 0;
}
