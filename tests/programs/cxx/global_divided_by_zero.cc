// The initialiser of a global object, before main.
struct Part {
  explicit Part(long value) : value_(value) {}
  long value_;
};
constexpr int kParts = 0;
Part first(1000 / (kParts + 1)), second(1000 % kParts);  // ERROR(division-by-zero)!

int main() { return first.value_ == second.value_; }
