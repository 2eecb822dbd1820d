// std::to_chars and std::from_chars of floating-point numbers.
#include <bit>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <random>
#include <string_view>

static void chosen() {
  char b[64];
  for (double d : {0.1, 1e300, 3.0, -2.5e-7, 123456789.125}) {
    auto r = std::to_chars(b, b + 64, d);
    std::cout << std::string_view(b, r.ptr - b) << ' ';
    r = std::to_chars(b, b + 64, d, std::chars_format::scientific, 3);
    std::cout << std::string_view(b, r.ptr - b) << ' ';
    r = std::to_chars(b, b + 64, d, std::chars_format::hex);
    std::cout << std::string_view(b, r.ptr - b) << ' ';
    r = std::to_chars(b, b + 64, (float)d);
    std::cout << std::string_view(b, r.ptr - b) << ' ';
    r = std::to_chars(b, b + 64, d, std::chars_format::general, 5);
    std::cout << std::string_view(b, r.ptr - b) << '\n';
  }
  for (std::string_view s : {"3.25", "1e5x", "abc", "1e999", "-0.5", "inf", "nan", "0x1.8p3", " 1"}) {
    double d = -1;
    auto r = std::from_chars(s.data(), s.data() + s.size(), d);
    std::cout << d << ' ' << (r.ptr - s.data()) << ' ' << (r.ec == std::errc{})
              << (r.ec == std::errc::result_out_of_range) << '\n';
  }
  double h;
  std::string_view hs = "1.8p3";
  auto r = std::from_chars(hs.begin(), hs.end(), h, std::chars_format::hex);
  std::cout << h << ' ' << (r.ptr - hs.data()) << '\n';
  float f;
  std::string_view fs = "0.1";
  std::from_chars(fs.begin(), fs.end(), f);
  std::cout << (f == 0.1f) << '\n';
  long double ld = 1.0L / 3;
  auto q = std::to_chars(b, b + 64, ld);
  std::cout << std::string_view(b, q.ptr - b) << '\n';
  q = std::to_chars(b, b + 2, 123.5);
  std::cout << (q.ec == std::errc::value_too_large) << '\n';
}

// Numbers of all sizes: their shortest texts, which must read back, and rounded ones.
template <typename Number, typename Bits>
static void drawn(unsigned seed) {
  std::mt19937_64 random(seed);
  for (int n = 0; n < 400; ++n) {
    const Number value = std::bit_cast<Number>(static_cast<Bits>(n % 4 ? random() : random() % 1000 << (n % 50)));
    if (value != value) continue;
    char text[512];
    const auto all = std::to_chars(text, text + sizeof text, value);
    Number back = 0;
    const auto read = std::from_chars(text, all.ptr, back);
    std::cout << std::string_view(text, all.ptr - text) << (read.ptr == all.ptr && back == value ? " " : " differs ");
    const auto fixed = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed);
    std::cout << std::string_view(text, fixed.ptr - text) << ' ';
    const auto rounded = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, n % 20);
    std::cout << std::string_view(text, rounded.ptr - text) << '\n';
  }
}

int main() {
  chosen();
  drawn<double, std::uint64_t>(1);
  drawn<float, std::uint32_t>(2);
}
