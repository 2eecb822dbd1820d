// The copy reads more than there is.
#include <string.h>

int main(void) {
  char own[4] = "abc", more[8] = "";
  memcpy(more, own, 6);  // ERROR(out-of-bounds)!
  return more[0];
}
