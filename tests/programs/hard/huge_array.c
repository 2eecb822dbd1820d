// VERDICT: clear
// A large static array of which little is used.
#include <assert.h>

static int table[1 << 24];

int main(void) {
  table[1 << 20] = 7;
  assert(table[1 << 20] + table[5] == 7);
  return 0;
}
