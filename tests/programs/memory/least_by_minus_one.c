// Constants whose quotient does not fit.
#include <limits.h>

static long quotient(long by) { return by; }

int main(void) {
  return quotient(LONG_MIN / -1L) == 0;  // ERROR(trap)!
}
