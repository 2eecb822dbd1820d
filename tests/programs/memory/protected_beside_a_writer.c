// A page is made read-only while another thread may still write to it.
// VERDICT: inconclusive
// SAYS: mprotect
#include <pthread.h>
#include <sys/mman.h>

static char *page;

static void *worker(void *arg) {
  page[0] = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 1;
  pthread_create(&t, NULL, worker, NULL);
  mprotect(page, 4096, PROT_READ);
  pthread_join(t, NULL);
  return 0;
}
