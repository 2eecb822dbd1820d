// VERDICT: clear
// Calls nest as deep as a stack of 8 MB natively holds.
#include <assert.h>

static int depth(int left) { return left == 0 ? 0 : 1 + depth(left - 1); }

int main(int argc, char **argv) {
  (void)argv;
  assert(depth(100000 + argc) == 100001);
  return 0;
}
