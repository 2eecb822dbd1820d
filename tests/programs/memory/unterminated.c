// strlen of a buffer that holds no terminator.
#include <string.h>

int main(void) {
  char text[4];
  memset(text, 'x', sizeof text);
  return (int)strlen(text) == 5;  // ERROR(out-of-bounds|uninitialised-read)!
}
