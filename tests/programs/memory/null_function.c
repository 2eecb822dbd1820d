// A call through a null pointer.
#include <stddef.h>

static void (*handlers[2])(void);

int main(void) {
  handlers[1]();  // ERROR(null-dereference|wild-pointer)!
  return 0;
}
