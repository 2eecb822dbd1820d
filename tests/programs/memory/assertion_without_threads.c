// An assertion that fails in every run.
#include <assert.h>

static int twice(int n) { return n + n; }

int main(void) {
  assert(twice(2) == 5);  // ASSERT!
  return 0;
}
