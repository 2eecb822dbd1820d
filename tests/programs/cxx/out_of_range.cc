// Thrown deep in the library; told at the call.
#include <vector>

int main(int count, char**) {
  std::vector<int> v(3);
  return v.at(static_cast<unsigned>(count) + 2);  // ERROR(uncaught-exception)!
}
