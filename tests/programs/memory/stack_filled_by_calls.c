// Each call has a local array that fits. Together they need more than main's stack.
#include <string.h>

static int depth(int n) {
  char text[100 << 10];  // ERROR(stack-overflow)!
  memset(text, n, sizeof text);
  return n == 0 ? text[1] : depth(n - 1) + text[n];  // ERROR(stack-overflow)?
}

int main(void) { return depth(100) == 0; }  // ERROR(stack-overflow)?
