// A variable that nobody wrote is printed.
#include <stdio.h>

int main(void) {
  int sum;
  printf("%d\n", sum);  // ERROR(uninitialised-read)!
  return 0;
}
