// Memory that is not needed becomes zeros.
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static char *pages;

static void *worker(void *arg) {
  pages[0] = pages[4096] = 7;
  return arg;
}

int main(void) {
  pthread_t t;
  pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return 1;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  madvise(pages, 4096, MADV_DONTNEED);
  assert(pages[4096] == 7);
  assert(pages[0] == 7);  // ERROR(assertion)!
  munmap(pages, 8192);
  return 0;
}
