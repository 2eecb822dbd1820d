// A spin on a flag that nobody sets.
#include <stdatomic.h>

static atomic_int flag;

int main(void) {
  while (!atomic_load(&flag)) {  // ERROR(livelock)!
  }
  return 0;
}
