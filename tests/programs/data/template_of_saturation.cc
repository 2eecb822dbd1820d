// A saturating sum as a template over widths.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <cassert>
#include <limits>
#include <mutex>
#include <thread>

extern "C" unsigned char __VERIFIER_nondet_uchar(void);
extern "C" unsigned short __VERIFIER_nondet_ushort(void);

static std::mutex guard;

template <typename Number>
struct Saturating {
  Number value = 0;
  void add(Number n) {
    const std::lock_guard<std::mutex> lock(guard);
    const Number room = std::numeric_limits<Number>::max() - value;
    value = n > room ? std::numeric_limits<Number>::max() : static_cast<Number>(value + n);
  }
};

static Saturating<unsigned char> narrow;
static Saturating<unsigned short> wide;

int main() {
  const unsigned char a = __VERIFIER_nondet_uchar();
  const unsigned short b = __VERIFIER_nondet_ushort();
  std::thread thread([=] { narrow.add(a); });
  wide.add(b);
  thread.join();
  narrow.add(200);
  assert(narrow.value >= 200 && wide.value == b);
}
