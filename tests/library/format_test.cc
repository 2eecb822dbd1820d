// printf and scanf against the host's: the same bytes, the same result.
#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <random>

#include "tests/library/fake_guest.h"

namespace heddle::machine {
namespace {

using Random = std::mt19937_64;

template <size_t N>
auto pick(Random& random, const std::array<const char*, N>& from) {
  return from[random() % N];
}

double interesting_double(Random& random) {
  switch (random() % 12) {
    case 0: return 0.0;
    case 1: return -0.0;
    case 2: return INFINITY;
    case 3: return -NAN;
    case 4: return static_cast<double>(static_cast<int64_t>(random() % 2001) - 1000);
    case 5: return static_cast<double>(random() % 100000) / 1000;
    case 6: return 5e-324;
    case 7: return 1.7976931348623157e308;
    case 8: return 0.5 + static_cast<double>(random() % 10);
    case 9: return static_cast<double>(random()) * 1e-30;
    default: {
      const uint64_t bits = random();
      return __builtin_bit_cast(double, bits);
    }
  }
}

uint64_t interesting_integer(Random& random) {
  switch (random() % 6) {
    case 0: return 0;
    case 1: return ~uint64_t{0};
    case 2: return random() % 1000;
    case 3: return uint64_t{1} << (random() % 64);
    default: return random();
  }
}

std::string flags_width_precision(Random& random, std::vector<Extra>& stars) {
  std::string text;
  for (uint64_t n = random() % 3; n > 0; n--) text += "-+ #0'"[random() % 6];
  if (random() % 3 == 0) text += std::to_string(random() % 24);
  if (stars.empty() && random() % 10 == 0) {
    text += "*";
    stars.push_back(Extra::integer(static_cast<uint64_t>(static_cast<int64_t>(random() % 41) - 20)));
    if (text.find_first_of("123456789") != std::string::npos) text = "*";
  }
  if (random() % 3 == 0) {
    text += ".";
    if (random() % 5 != 0) text += std::to_string(random() % 22);
  }
  return text;
}

TEST(Format, EqualsHostOnRandomFormats) {
  Random random(7);
  for (int round = 0; round < 30000; round++) {
    FakeGuest g;
    std::string form;
    std::vector<Extra> extra;
    std::vector<uint64_t> integers(3);
    std::vector<double> doubles(3);
    size_t integer = 0, real = 0;
    const std::string text = std::string("pear apple fig").substr(random() % 5, random() % 9);
    for (uint64_t n = 1 + random() % 3; n > 0; n--) {
      form += pick(random, std::array{"", "x", "%%", " = "});
      std::vector<Extra> stars;
      if (integer > 0) stars.push_back(Extra::integer(0));  // no star: integers are scarce
      const size_t had = stars.size();
      const std::string middle = flags_width_precision(random, stars);
      if (stars.size() > had) {
        integers[integer++] = stars.back().bits;
        extra.push_back(stars.back());
      }
      if (random() % 2 == 0 || integer == 3) {
        form += "%" + middle + pick(random, std::array{"", "l"}) +
                pick(random, std::array{"f", "e", "g", "a", "F", "E", "G", "A"});
        doubles[real] = interesting_double(random);
        extra.push_back(Extra::real(doubles[real++]));
      } else if (random() % 5 == 0) {
        form += "%" + middle + pick(random, std::array{"s", "c", "p"});
        const char letter = form.back();
        if (letter == 's') {
          const Pointer p = g.make_text(text);
          extra.push_back(Extra::pointer(p));
          integers[integer++] = reinterpret_cast<uint64_t>(text.c_str());
        } else {
          integers[integer] = letter == 'c' ? 32 + random() % 90 : random() % 4 == 0 ? 0 : random();
          extra.push_back(Extra::integer(integers[integer++]));
        }
      } else {
        form += "%" + middle + pick(random, std::array{"", "hh", "h", "l", "ll", "j", "z", "t"}) +
                pick(random, std::array{"d", "i", "u", "x", "X", "o"});
        integers[integer] = interesting_integer(random);
        extra.push_back(Extra::integer(integers[integer++]));
      }
    }
    char expected[2048];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    // Integers and doubles travel in different registers: their order among each other does not matter.
    const int count = snprintf(expected, sizeof expected, form.c_str(), integers[0], integers[1], integers[2],
                               doubles[0], doubles[1], doubles[2]);
#pragma GCC diagnostic pop
    const Pointer to = g.make(2048, false);
    ASSERT_EQ(g.run("snprintf", {to.bits, 2048, g.make_text(form).bits}, extra), Status::Done)
        << form << ": " << g.fault_message;
    ASSERT_EQ(g.int_value(), count) << form;
    ASSERT_EQ(g.text_at(to), std::string(expected)) << form;
  }
}

TEST(Format, LongDoubles) {
  Random random(8);
  for (int round = 0; round < 3000; round++) {
    FakeGuest g;
    std::vector<Extra> stars = {Extra{}};
    const std::string form =
        "%" + flags_width_precision(random, stars) + "L" + pick(random, std::array{"f", "e", "g", "a", "G"});
    const long double value =
        static_cast<long double>(interesting_double(random)) * static_cast<long double>(random() % 1000);
    char expected[6000];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int count = snprintf(expected, sizeof expected, form.c_str(), value);
#pragma GCC diagnostic pop
    const Pointer to = g.make(6000, false);
    ASSERT_EQ(g.run("sprintf", {to.bits, g.make_text(form).bits}, {Extra::long_real(value)}), Status::Done);
    ASSERT_EQ(g.int_value(), count) << form;
    ASSERT_EQ(g.text_at(to), std::string(expected)) << form;
  }
}

std::string print(std::string_view form, std::vector<Extra> extra) {
  FakeGuest g;
  if (g.run("printf", {g.make_text(form).bits}, std::move(extra)) != Status::Done) return "fault: " + g.fault_message;
  return g.standard_output;
}

TEST(Format, Particular) {
  EXPECT_EQ(print("%2$s", {Extra::integer(0), Extra::integer(0)}), "(null)");
  EXPECT_EQ(print("%2$d %1$.1f %2$x|%3$*2$d", {Extra::real(2.5), Extra::integer(10), Extra::integer(7)}),
            "10 2.5 a|         7");
  EXPECT_EQ(print("%.3s|%.9s", {Extra::integer(0), Extra::integer(0)}), "|(null)");
  EXPECT_EQ(print("%y %d", {Extra::integer(4)}), "%y 4");
  EXPECT_EQ(print("%m", {}), "Success");
  EXPECT_EQ(print("%d", {}), "fault: no such variadic argument");
  EXPECT_EQ(print("%c%c", {Extra::integer(0), Extra::integer('x')}), std::string("\0x", 2));
}

TEST(Format, TruncatesAndCounts) {
  FakeGuest g;
  const Pointer to = g.make(4), count = g.make(8);
  EXPECT_EQ(g.run("snprintf", {to.bits, 4, g.make_text("%d%n").bits}, {Extra::integer(123456), Extra::pointer(count)}),
            Status::Done);
  EXPECT_EQ(g.int_value(), 6);
  EXPECT_EQ(g.text_at(to), "123");
  EXPECT_EQ(g.bytes_at(count, 1), "\6");
  EXPECT_EQ(g.run("snprintf", {0, 0, g.make_text("abc").bits}), Status::Done);
  EXPECT_EQ(g.int_value(), 3);
  EXPECT_EQ(g.run("sprintf", {to.bits, g.make_text("abcd").bits}), Status::Faulted);
  EXPECT_EQ(g.fault_kind, FaultKind::OutOfBounds);
}

std::string scan_input(Random& random) {
  static constexpr std::array kPieces = {
      "12", "-7",    "+3",    "0x1f",      "0",   "077",    "3.5", "1e5", "-2.5e-3",
      ".5", "nan",   "inf",   "-infinity", "abc", " ",      "  ",  "\n",  ",",
      ":",  "x",     "(nil)", "1e",        "0x",  "0x.8p1", "+",   "-",   "99999999999999999999",
      "i",  "infin", "1.",    "%"};
  std::string text;
  for (uint64_t n = random() % 6; n > 0; n--) text += pick(random, kPieces);
  return text;
}

TEST(Scan, EqualsHostOnRandomInput) {
  Random random(9);
  static constexpr std::array kDirectives = {
      "%d",  "%i", "%u",  "%x",     "%o",    "%ld",     "%hd", "%hhd",  "%lld",    "%f",  "%lf", "%g", "%s",
      "%3s", "%c", "%2c", "%[a-z]", "%[^,]", "%5[0-9]", "%*d", "%*s",   "%n",      "%%",  " ",   ",",  ":",
      "abc", "%p", "%2d", "%3i",    "%4x",   "%4lf",    "%1f", "%[]x]", "%*[ \n]", "%Lf", "%zu", "%2f"};
  for (int round = 0; round < 40000; round++) {
    FakeGuest g;
    std::string form;
    std::vector<std::array<char, 64>> expected(4);
    std::vector<Pointer> targets;
    std::vector<Extra> extra;
    for (auto& one : expected) {
      one.fill('.');
      targets.push_back(g.make(64));
      extra.push_back(Extra::pointer(targets.back()));
      ASSERT_TRUE(g.write(targets.back(), one.data(), 64));
    }
    for (uint64_t n = 1 + random() % 4; n > 0; n--) form += pick(random, kDirectives);
    const std::string input = scan_input(random);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int count = sscanf(input.c_str(), form.c_str(), expected[0].data(), expected[1].data(), expected[2].data(),
                             expected[3].data());
#pragma GCC diagnostic pop
    ASSERT_EQ(g.run("__isoc99_sscanf", {g.make_text(input).bits, g.make_text(form).bits}, extra), Status::Done)
        << "'" << input << "' by '" << form << "': " << g.fault_message;
    ASSERT_EQ(g.int_value(), count) << "'" << input << "' by '" << form << "'";
    for (size_t i = 0; i < expected.size(); i++) {
      ASSERT_EQ(g.bytes_at(targets[i], 10), std::string(expected[i].data(), 10))
          << "'" << input << "' by '" << form << "' " << i;
    }
  }
}

}  // namespace
}  // namespace heddle::machine
