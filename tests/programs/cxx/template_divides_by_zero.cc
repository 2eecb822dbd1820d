// Which instantiation divides by zero, the template does not show; nor what a lambda or a variable's initialiser does.
#include <thread>

template <int kDivisor>
int share(int) {
  return 12 / kDivisor;  // ERROR(division-by-zero)!
}

int main() {
  int all = share<3>(0);
  std::thread thread([&] { all += share<0>(0); });
  thread.join();
  return all;
}
