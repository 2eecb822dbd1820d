// VERDICT: clear
// Pointers one past the end may be formed and compared.
#include <assert.h>

int main(void) {
  int values[3] = {1, 2, 3}, sum = 0;
  for (int *at = values, *end = values + 3; at != end; at++) sum += *at;
  assert(sum == 6);
  return 0;
}
