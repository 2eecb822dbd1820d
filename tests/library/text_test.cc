// string.h, ctype.h and the number parsers against the host's, on random input.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>

#include "tests/library/fake_guest.h"

namespace heddle::machine {
namespace {

using Random = std::mt19937_64;

std::string random_text(Random& random, size_t longest, std::string_view alphabet) {
  std::string text;
  for (uint64_t n = random() % (longest + 1); n > 0; n--) text += alphabet[random() % alphabet.size()];
  return text;
}

int sign(int value) { return (value > 0) - (value < 0); }

TEST(Text, SearchesEqualHost) {
  Random random(1);
  const auto offset = [](const char* base, const char* at) { return at == nullptr ? -1 : at - base; };
  for (int round = 0; round < 5000; round++) {
    FakeGuest g;
    const std::string a = random_text(random, 12, "aAbBc\xff"), b = random_text(random, 3, "aAbc\xff");
    const int c = "abc\xff\0z"[random() % 6];
    const Pointer pa = g.make_text(a), pb = g.make_text(b);
    const auto found = [&](const char* name, uint64_t second, std::vector<uint64_t> more = {}) -> long {
      std::vector<uint64_t> arguments = {pa.bits, second};
      arguments.insert(arguments.end(), more.begin(), more.end());
      EXPECT_EQ(g.run(name, arguments), Status::Done) << name;
      return g.value() == 0 ? -1 : static_cast<long>(g.value() - pa.bits);
    };
    const char* s = a.c_str();
    const uint64_t wanted = static_cast<uint32_t>(c), n = random() % (a.size() + 1);
    EXPECT_EQ(found("strchr", wanted), offset(s, strchr(s, c)));
    EXPECT_EQ(found("strrchr", wanted), offset(s, strrchr(s, c)));
    EXPECT_EQ(found("strchrnul", wanted), offset(s, strchrnul(s, c)));
    EXPECT_EQ(found("strstr", pb.bits), offset(s, strstr(s, b.c_str())));
    EXPECT_EQ(found("strcasestr", pb.bits), offset(s, strcasestr(s, b.c_str())));
    EXPECT_EQ(found("strpbrk", pb.bits), offset(s, strpbrk(s, b.c_str())));
    EXPECT_EQ(found("memchr", wanted, {n}), offset(s, static_cast<const char*>(memchr(s, c, n))));
    EXPECT_EQ(found("memrchr", wanted, {n}), offset(s, static_cast<const char*>(memrchr(s, c, n))));
    const auto number = [&](const char* name, std::vector<uint64_t> more) {
      std::vector<uint64_t> arguments = {pa.bits, pb.bits};
      arguments.insert(arguments.end(), more.begin(), more.end());
      EXPECT_EQ(g.run(name, arguments), Status::Done) << name;
      return g.int_value();
    };
    EXPECT_EQ(number("strspn", {}), static_cast<int>(strspn(s, b.c_str())));
    EXPECT_EQ(number("strcspn", {}), static_cast<int>(strcspn(s, b.c_str())));
    EXPECT_EQ(sign(number("strcmp", {})), sign(strcmp(s, b.c_str())));
    EXPECT_EQ(sign(number("strncmp", {n})), sign(strncmp(s, b.c_str(), n)));
    EXPECT_EQ(sign(number("strcasecmp", {})), sign(strcasecmp(s, b.c_str())));
    const uint64_t both = std::min(a.size(), b.size()) + 1;
    EXPECT_EQ(sign(number("memcmp", {both})), sign(memcmp(s, b.c_str(), both)));
  }
}

TEST(Text, CopiesEqualHost) {
  Random random(2);
  for (int round = 0; round < 3000; round++) {
    FakeGuest g;
    const std::string a = random_text(random, 8, "abc"), b = random_text(random, 8, "xyz");
    const uint64_t n = random() % 12;
    for (const char* name : {"strcpy", "strncpy", "strcat", "strncat", "stpcpy", "stpncpy", "memmove", "memccpy"}) {
      char expected[64];
      memset(expected, '.', sizeof expected);
      memcpy(expected, a.c_str(), a.size() + 1);
      const Pointer to = g.make(64);
      ASSERT_TRUE(g.write(to, expected, 64));
      const std::string_view which = name;
      const uint64_t shift = random() % 3;
      char* end = expected;
      if (which == "strcpy") strcpy(expected, b.c_str());
      if (which == "strncpy") strncpy(expected, b.c_str(), n);
      if (which == "strcat") strcat(expected, b.c_str());
      if (which == "strncat") strncat(expected, b.c_str(), n);
      if (which == "stpcpy") end = stpcpy(expected, b.c_str());
      if (which == "stpncpy") end = stpncpy(expected, b.c_str(), n);
      if (which == "memmove") memmove(expected, expected + shift, n);
      Status status;
      if (which == "memmove") {
        status = g.run(name, {to.bits, to.bits + shift, n});
      } else if (which == "memccpy") {
        void* at = memccpy(expected, b.c_str(), 'y', std::min(n, b.size()));
        status = g.run(name, {to.bits, g.make_text(b).bits, 'y', std::min(n, b.size())});
        EXPECT_EQ(g.value(), at == nullptr ? 0 : to.bits + static_cast<uint64_t>(static_cast<char*>(at) - expected));
        end = nullptr;
      } else {
        status = g.run(name, {to.bits, g.make_text(b).bits, n});
      }
      ASSERT_EQ(status, Status::Done) << name;
      EXPECT_EQ(g.bytes_at(to, 64), std::string(expected, 64)) << name;
      if (end != nullptr) {
        EXPECT_EQ(g.value(), to.bits + static_cast<uint64_t>(end - expected)) << name;
      }
    }
  }
}

TEST(Text, TokensEqualHost) {
  Random random(3);
  for (int round = 0; round < 2000; round++) {
    FakeGuest g;
    std::string text = random_text(random, 16, "ab, ;");
    const Pointer p = g.make_text(text), separators = g.make_text(", ;");
    char* save = nullptr;
    char* token = strtok_r(text.data(), ", ;", &save);
    uint64_t first = p.bits;
    for (;;) {
      ASSERT_EQ(g.run("strtok", {first, separators.bits}), Status::Done);
      ASSERT_EQ(g.value() == 0, token == nullptr);
      if (token == nullptr) break;
      ASSERT_EQ(g.text_at(Pointer{g.value()}), std::string(token));
      first = 0;
      token = strtok_r(nullptr, ", ;", &save);
    }
  }
}

std::string number_text(Random& random) {
  static constexpr const char* kPieces[] = {"0", "1", "7", "9", "a",  "f",   "z",   "x",   "X",     "+",  "-", " ",
                                            ".", "e", "E", "p", "0x", "inf", "nan", "(1)", "99999", "\t", "i"};
  std::string text;
  for (uint64_t n = random() % 8; n > 0; n--) text += kPieces[random() % std::size(kPieces)];
  return text;
}

TEST(Text, NumbersEqualHost) {
  Random random(4);
  for (int round = 0; round < 20000; round++) {
    FakeGuest g;
    const std::string text = number_text(random);
    const Pointer p = g.make_text(text), end = g.make(8);
    static constexpr int kBases[] = {0, 10, 16, 8, 2, 36, 7, 1};
    const int base = kBases[random() % std::size(kBases)];
    char* expected_end = nullptr;
    const auto check_end = [&](const char* what) {
      uint64_t at = 0;
      ASSERT_TRUE(g.read(end, &at, 8));
      EXPECT_EQ(at - p.bits, static_cast<uint64_t>(expected_end - text.c_str()))
          << what << " '" << text << "' " << base;
      EXPECT_EQ(g.error(), errno) << what << " '" << text << "'";
    };
    g.clear_error();
    errno = 0;
    if (base != 1) {
      const long expected = strtol(text.c_str(), &expected_end, base);
      ASSERT_EQ(g.run("strtol", {p.bits, end.bits, static_cast<uint64_t>(base)}), Status::Done);
      EXPECT_EQ(static_cast<long>(g.value()), expected) << "'" << text << "' " << base;
      check_end("strtol");
      g.clear_error();
      errno = 0;
      const unsigned long positive = strtoul(text.c_str(), &expected_end, base);
      ASSERT_EQ(g.run("strtoul", {p.bits, end.bits, static_cast<uint64_t>(base)}), Status::Done);
      EXPECT_EQ(g.value(), positive) << "'" << text << "' " << base;
      check_end("strtoul");
    }
    g.clear_error();
    errno = 0;
    const double real = strtod(text.c_str(), &expected_end);
    ASSERT_EQ(g.run("strtod", {p.bits, end.bits}), Status::Done);
    EXPECT_EQ(g.value(), __builtin_bit_cast(uint64_t, real)) << "'" << text << "'";
    check_end("strtod");
    ASSERT_EQ(g.run("atoi", {p.bits}), Status::Done);
    EXPECT_EQ(g.int_value(), atoi(text.c_str()));
  }
}

TEST(Text, CharacterClassesEqualHost) {
  FakeGuest g;
  const auto entry = [&](const char* name, int c, uint32_t size) {
    uint64_t table = 0;
    int64_t value = 0;
    EXPECT_EQ(g.run(name, {}), Status::Done);
    EXPECT_TRUE(g.read(Pointer{g.value()}, &table, 8));
    EXPECT_TRUE(g.read(Pointer{table + static_cast<uint64_t>(int64_t{c} * size)}, &value, size));
    return value;
  };
  for (int c = -128; c < 256; c++) {
    EXPECT_EQ(entry("__ctype_b_loc", c, 2), (*__ctype_b_loc())[c]) << c;
    EXPECT_EQ(static_cast<int32_t>(entry("__ctype_tolower_loc", c, 4)), (*__ctype_tolower_loc())[c]) << c;
    EXPECT_EQ(static_cast<int32_t>(entry("__ctype_toupper_loc", c, 4)), (*__ctype_toupper_loc())[c]) << c;
  }
  for (int c = -1; c < 256; c++) {
#define CHECK_CLASS(name)                                            \
  ASSERT_EQ(g.run(#name, {static_cast<uint32_t>(c)}), Status::Done); \
  EXPECT_EQ(g.int_value() != 0, (name)(c) != 0) << #name << " " << c
    CHECK_CLASS(isalpha);
    CHECK_CLASS(isdigit);
    CHECK_CLASS(isalnum);
    CHECK_CLASS(isspace);
    CHECK_CLASS(isupper);
    CHECK_CLASS(islower);
    CHECK_CLASS(isxdigit);
    CHECK_CLASS(ispunct);
    CHECK_CLASS(isprint);
    CHECK_CLASS(isgraph);
    CHECK_CLASS(iscntrl);
    CHECK_CLASS(isblank);
#undef CHECK_CLASS
    if (c < 0) continue;
    ASSERT_EQ(g.run("toupper", {static_cast<uint64_t>(c)}), Status::Done);
    EXPECT_EQ(g.int_value(), toupper(c));
  }
}

}  // namespace
}  // namespace heddle::machine
