// Which functions set errno: their rows say so, since the comparison of two versions relies on it. The machine has the
// same check for every call of a program (set_errno in server/machine/library/guest.cc); here functions of numbers are
// given what they refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "server/library/function.h"
#include "tests/library/fake_guest.h"

namespace heddle::machine {
namespace {

constexpr double kValues[] = {0, -1, 0.5, 2, 1e308, -1e308, 99999, -99999, 1e-320, 1e30, -0.0};

bool row_says_so(std::string_view name) {
  const library::Function* const row = library::find_function(name);
  return row == nullptr || (row->hidden.writes & library::kError) != 0;
}

// Does some call of the function set errno? Both numbers as each type that a function of math.h can have.
bool sets_errno(FakeGuest& guest, std::string_view name, double first, double second) {
  const uint64_t place = guest.make(64).bits;
  const auto narrow = [](double value) { return uint64_t{__builtin_bit_cast(uint32_t, static_cast<float>(value))}; };
  const auto whole = [](double value) { return static_cast<uint64_t>(static_cast<int64_t>(std::fmod(value, 1e6))); };
  const auto bits = [](double value) { return __builtin_bit_cast(uint64_t, value); };
  const std::vector<uint64_t> calls[] = {{bits(first), bits(second), bits(second)},
                                         {narrow(first), narrow(second), narrow(second)},
                                         {bits(first), whole(second), whole(second)},
                                         {narrow(first), whole(second), whole(second)},
                                         {whole(first), bits(second), bits(second)},
                                         {whole(first), narrow(second), narrow(second)},
                                         {bits(first), place, place},
                                         {narrow(first), place, place},
                                         {bits(first), bits(second), place},
                                         {narrow(first), narrow(second), place}};
  for (const std::vector<uint64_t>& arguments : calls) {
    guest.clear_error();
    guest.long_double_arguments({first, second, second});
    guest.run(name, arguments);
    if (guest.error() != 0) return true;
  }
  return false;
}

TEST(Errno, FunctionsOfNumbersSayThatTheySetIt) {
  FakeGuest guest;
  std::string wrong;
  size_t setting = 0;
  for (const BuiltinRow& row : math_builtins()) {
    bool sets = false;
    for (const double first : kValues)
      for (const double second : kValues) sets = sets || sets_errno(guest, row.name, first, second);
    for (const double infinite : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()})
      sets = sets || sets_errno(guest, row.name, infinite, infinite) || sets_errno(guest, row.name, infinite, 1);
    setting += sets;
    if (sets && !row_says_so(row.name)) wrong += std::string(row.name) + " ";
  }
  EXPECT_EQ(wrong, "");
  EXPECT_GT(setting, 90u);
}

TEST(Errno, WhatTouchesOnlyErrnoIsKnownAsThat) {
  for (const char* name : {"log2", "fmodf", "ldexpl", "fsync", "isatty", "sysconf"})
    EXPECT_TRUE(row_says_so(name)) << name;
  EXPECT_TRUE(library::only_sets_errno(*library::find_function("log2f")));
  EXPECT_FALSE(library::only_sets_errno(*library::find_function("modf")));
  EXPECT_FALSE(library::only_sets_errno(*library::find_function("fsync")));
}

}  // namespace
}  // namespace heddle::machine
