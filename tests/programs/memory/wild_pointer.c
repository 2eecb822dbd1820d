// A number made into a pointer.
#include <stdint.h>

int main(void) {
  volatile uintptr_t number = 0x123456789;
  int *p = (int *)number;
  return *p;  // ERROR(wild-pointer)!
}
