// Exceptions that leave callbacks of the C library: qsort, bsearch, pthread_once.
#include <pthread.h>
#include <cstdio>
#include <cstdlib>

struct L { const char* n; ~L() { std::printf("~%s\n", n); } };
static int budget = 100;
int compare(const void* a, const void* b) {
  if (--budget == 0) { L l{"compare"}; throw "tired"; }
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tries = 0;
void init() { L l{"init"}; if (++tries < 3) throw tries; }
int main() {
  int v[] = {5, 2, 8, 1, 9, 3};
  std::qsort(v, 6, sizeof *v, compare);
  for (int x : v) std::printf("%d ", x);
  std::printf("\n");
  budget = 1;
  const int key = 8;
  try { std::bsearch(&key, v, 6, sizeof *v, compare); } catch (const char* s) { std::printf("%s\n", s); }
  for (int k = 0; k < 4; ++k) {
    try { pthread_once(&once, init); std::printf("done\n"); } catch (int t) { std::printf("try %d\n", t); }
  }
  std::printf("%d\n", tries);
}
