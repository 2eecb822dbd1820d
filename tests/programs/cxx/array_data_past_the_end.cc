// What data() points to, with a constant index.
#include <array>

int main() {
  std::array<int, 4> own{1, 2, 3, 4};
  int* const p = own.data();
  p[4] = 1;  // ERROR(out-of-bounds)!
  return own[0];
}
