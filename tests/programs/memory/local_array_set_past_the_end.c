// One byte more than there are.
#include <string.h>

int main(void) {
  char own[4] = "abc";
  memset(own, 0, 5);  // ERROR(out-of-bounds)!
  return own[0];
}
