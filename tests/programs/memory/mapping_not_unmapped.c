// A mapping that is lost is no heap block.
// SAYS: mapping allocated at mapping_not_unmapped.c:9 (4096 bytes) is never unmapped and nothing points to it any more
#define _GNU_SOURCE
#include <sys/mman.h>

int main(void) {
  for (int n = 0; n < 2; ++n) {
    const int how = MAP_PRIVATE | MAP_ANONYMOUS;
    char *page = mmap(0, 4096, PROT_READ | PROT_WRITE, how, -1, 0);  // ERROR(leak)!
    if (page == MAP_FAILED) return 1;
    page[0] = 1;
  }
  return 0;
}
