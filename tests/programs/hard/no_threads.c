// VERDICT: clear
// No threads at all: one execution.
#include <assert.h>

int main(void) {
  int sum = 0;
  for (int i = 1; i <= 1000; i++) sum += i;
  assert(sum == 500500);
  return 0;
}
