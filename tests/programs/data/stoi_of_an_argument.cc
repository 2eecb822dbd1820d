// What is no number is noticed; what is too large for the table is not.
// SETTINGS: arguments: [{unknown: {length: 1}}]
// SAYS: argv[1] = \"3\"
#include <exception>
#include <mutex>
#include <string>
#include <thread>

namespace {
std::mutex guard;
int places[3];
}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  std::thread other([] {
    const std::lock_guard hold(guard);
    places[0] = 1;
  });
  try {
    const int n = std::stoi(argv[1]);
    const std::lock_guard hold(guard);
    if (n >= 0 && n < 4) places[n] = 2;  // ERROR(out-of-bounds)!
  } catch (const std::exception&) {
  }
  other.join();
}
