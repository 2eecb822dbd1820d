// One thread empties a page that another writes to.
#include <pthread.h>
#include <sys/mman.h>

static char *page;

static void *worker(void *arg) {
  page[0] = 7;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 1;
  pthread_create(&t, NULL, worker, NULL);
  madvise(page, 4096, MADV_DONTNEED);  // RACE!
  pthread_join(t, NULL);
  munmap(page, 4096);
  return 0;
}
