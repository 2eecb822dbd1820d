// What the models demand of memory, the heap, files, sorting, random numbers, time, leaving.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>
#include <set>

#include "tests/library/fake_guest.h"

namespace heddle::machine {
namespace {

TEST(Memory, ChecksBounds) {
  FakeGuest g;
  const Pointer small = g.make(4), text = g.make_text("abcd");
  const auto fails = [&](const char* name, std::vector<uint64_t> arguments, FaultKind kind) {
    EXPECT_EQ(g.run(name, std::move(arguments)), Status::Faulted) << name;
    EXPECT_EQ(g.fault_kind, kind) << name;
  };
  fails("strcpy", {small.bits, text.bits}, FaultKind::OutOfBounds);
  fails("strncpy", {small.bits, text.bits, 5}, FaultKind::OutOfBounds);
  fails("memset", {small.bits, 0, 5}, FaultKind::OutOfBounds);
  fails("strlen", {0}, FaultKind::NullDereference);
  const Pointer unterminated = g.make(3);
  ASSERT_TRUE(g.write(unterminated, "abc", 3));
  fails("strlen", {unterminated.bits}, FaultKind::OutOfBounds);
  fails("puts", {unterminated.bits}, FaultKind::OutOfBounds);
  fails("atoi", {g.make(2, false).bits}, FaultKind::UninitialisedRead);
  fails("memcpy", {text.bits, text.bits + 1, 3}, FaultKind::OutOfBounds);
  fails("strcat", {text.bits, text.bits}, FaultKind::OutOfBounds);
  fails("free", {text.bits}, FaultKind::InvalidFree);
  fails("div", {1, 0}, FaultKind::DivisionByZero);
  fails("__memcpy_chk", {small.bits, text.bits, 4, 3}, FaultKind::OutOfBounds);
  fails("__strcpy_chk", {g.make(9).bits, text.bits, 4}, FaultKind::OutOfBounds);
  EXPECT_EQ(g.run("strnlen", {unterminated.bits, 3}), Status::Done);
  EXPECT_EQ(g.value(), 3u);
  EXPECT_EQ(g.run("memchr", {unterminated.bits, 'b', 99}), Status::Done);
  EXPECT_EQ(g.value(), unterminated.bits + 1);
}

TEST(Memory, Heap) {
  FakeGuest g;
  ASSERT_EQ(g.run("malloc", {10}), Status::Done);
  const Pointer block{g.value()};
  ASSERT_EQ(g.run("strcpy", {block.bits, g.make_text("hello").bits}), Status::Done);
  ASSERT_EQ(g.run("realloc", {block.bits, 100}), Status::Done);
  const Pointer grown{g.value()};
  EXPECT_EQ(g.text_at(grown), "hello");
  EXPECT_EQ(g.run("free", {block.bits}), Status::Faulted);
  EXPECT_EQ(g.fault_kind, FaultKind::DoubleFree);
  EXPECT_EQ(g.run("free", {grown.bits}), Status::Done);
  EXPECT_EQ(g.run("calloc", {~uint64_t{0}, 2}), Status::Done);
  EXPECT_EQ(g.value(), 0u);
  EXPECT_EQ(g.error(), ENOMEM);
  EXPECT_EQ(g.run("strdup", {g.make_text("x").bits}), Status::Done);
  EXPECT_EQ(g.run("free", {g.value()}), Status::Done);
  EXPECT_EQ(g.live_blocks, 0u);
}

TEST(Memory, FilesLiveInGuestMemory) {
  FakeGuest g;
  const Pointer name = g.make_text("data.txt");
  const auto open = [&](const char* mode) {
    EXPECT_EQ(g.run("fopen", {name.bits, g.make_text(mode).bits}), Status::Done);
    return g.value();
  };
  EXPECT_EQ(open("r"), 0u);
  EXPECT_EQ(g.error(), ENOENT);
  uint64_t file = open("w");
  ASSERT_NE(file, 0u);
  ASSERT_EQ(
      g.run("fprintf", {file, g.make_text("%d\n%s\n").bits}, {Extra::integer(42), Extra::pointer(g.make_text("line"))}),
      Status::Done);
  const Pointer big = g.make(9000);
  ASSERT_EQ(g.run("fwrite", {big.bits, 1, 9000, file}), Status::Done);
  EXPECT_EQ(g.value(), 9000u);
  ASSERT_EQ(g.run("fclose", {file}), Status::Done);
  EXPECT_EQ(g.run("fputc", {'x', file}), Status::Faulted);
  EXPECT_EQ(g.fault_kind, FaultKind::UseAfterFree);
  file = open("r");
  const Pointer number = g.make(4), line = g.make(32);
  ASSERT_EQ(g.run("fscanf", {file, g.make_text("%d ").bits}, {Extra::pointer(number)}), Status::Done);
  EXPECT_EQ(g.int_value(), 1);
  ASSERT_EQ(g.run("fgets", {line.bits, 32, file}), Status::Done);
  EXPECT_EQ(g.text_at(line), "line\n");
  ASSERT_EQ(g.run("ftell", {file}), Status::Done);
  EXPECT_EQ(g.value(), 8u);
  ASSERT_EQ(g.run("fread", {big.bits, 3, 3001, file}), Status::Done);
  EXPECT_EQ(g.value(), 3000u);
  ASSERT_EQ(g.run("feof", {file}), Status::Done);
  EXPECT_EQ(g.value(), 1u);
  ASSERT_EQ(g.run("fseek", {file, ~uint64_t{0} - 8999, SEEK_END}), Status::Done);
  ASSERT_EQ(g.run("ftell", {file}), Status::Done);
  EXPECT_EQ(g.value(), 8u);
  ASSERT_EQ(g.run("rewind", {file}), Status::Done);
  ASSERT_EQ(g.run("ungetc", {'!', file}), Status::Done);
  ASSERT_EQ(g.run("getc", {file}), Status::Done);
  EXPECT_EQ(g.int_value(), '!');
  ASSERT_EQ(g.run("getc", {file}), Status::Done);
  EXPECT_EQ(g.int_value(), '4');
  ASSERT_EQ(g.run("fputc", {'x', file}), Status::Done);
  EXPECT_EQ(g.int_value(), -1);
  ASSERT_EQ(g.run("remove", {name.bits}), Status::Done);
  EXPECT_EQ(open("r"), 0u);
}

TEST(Memory, LinesOfAnyLength) {
  FakeGuest g;
  ASSERT_EQ(g.run("tmpfile", {}), Status::Done);
  const uint64_t file = g.value();
  const std::string text = std::string(300, 'a') + "\nb";
  ASSERT_EQ(g.run("fputs", {g.make_text(text).bits, file}), Status::Done);
  ASSERT_EQ(g.run("rewind", {file}), Status::Done);
  const Pointer line = g.make(8), size = g.make(8);
  for (const int64_t expected : {301, 1, -1}) {
    ASSERT_EQ(g.run("getline", {line.bits, size.bits, file}), Status::Done);
    EXPECT_EQ(static_cast<int64_t>(g.value()), expected);
  }
  EXPECT_EQ(g.live_blocks, 1u);
}

TEST(Memory, StandardStreams) {
  FakeGuest g;
  ASSERT_EQ(g.run("puts", {g.make_text("out").bits}), Status::Done);
  uint64_t error_stream = 0;
  ASSERT_TRUE(g.read(g.variable("stderr"), &error_stream, 8));
  ASSERT_EQ(g.run("fputs", {g.make_text("err").bits, error_stream}), Status::Done);
  ASSERT_EQ(g.run("write", {1, g.make_text("raw").bits, 3}), Status::Done);
  EXPECT_EQ(g.standard_output, "out\nraw");
  EXPECT_EQ(g.standard_error, "err");
  ASSERT_EQ(g.run("getchar", {}), Status::Done);
  EXPECT_EQ(g.int_value(), -1);
  EXPECT_EQ(g.run("fputc", {'a', g.make(400).bits}), Status::Faulted);
  EXPECT_EQ(g.fault_kind, FaultKind::WildPointer);
}

struct Row {
  int key, order;
};

// The comparisons of glibc's qsort, in its order: the comparison function sees the same sequence.
TEST(Sort, SameComparisonsAsHost) {
  std::mt19937_64 random(5);
  static std::vector<std::pair<int, int>> calls;
  for (int round = 0; round < 300; round++) {
    FakeGuest g;
    const size_t n = random() % 40;
    std::vector<Row> rows(n);
    for (size_t i = 0; i < n; i++) rows[i] = {static_cast<int>(random() % 10), static_cast<int>(i)};
    const Pointer base = g.make(n * sizeof(Row) + 1);
    ASSERT_TRUE(g.write(base, rows.data(), static_cast<uint32_t>(n * sizeof(Row))));
    calls.clear();
    std::qsort(rows.data(), n, sizeof(Row), [](const void* a, const void* b) {
      const Row *left = static_cast<const Row*>(a), *right = static_cast<const Row*>(b);
      calls.emplace_back(left->order, right->order);
      return left->key - right->key;
    });
    std::vector<std::pair<int, int>> guest_calls;
    g.functions[99] = [&](std::span<const uint64_t> arguments) {
      Row left{}, right{};
      EXPECT_TRUE(g.read(Pointer{arguments[0]}, &left, 8) && g.read(Pointer{arguments[1]}, &right, 8));
      guest_calls.emplace_back(left.order, right.order);
      return static_cast<uint64_t>(static_cast<uint32_t>(left.key - right.key));
    };
    ASSERT_EQ(g.run("qsort", {base.bits, n, sizeof(Row), 99}), Status::Done);
    EXPECT_EQ(guest_calls, calls);
    EXPECT_EQ(g.bytes_at(base, n * sizeof(Row)),
              std::string(reinterpret_cast<const char*>(rows.data()), n * sizeof(Row)));
    EXPECT_EQ(g.live_blocks, 0u);
    for (int key = -1; key < 11; key++) {
      const Row wanted{key, 0};
      const Pointer at = g.make(sizeof(Row));
      ASSERT_TRUE(g.write(at, &wanted, sizeof wanted));
      const auto less = [](const void* a, const void* b) {
        return static_cast<const Row*>(a)->key - static_cast<const Row*>(b)->key;
      };
      const Row* expected = static_cast<const Row*>(std::bsearch(&wanted, rows.data(), n, sizeof(Row), less));
      ASSERT_EQ(g.run("bsearch", {at.bits, base.bits, n, sizeof(Row), 99}), Status::Done);
      EXPECT_EQ(g.value(),
                expected == nullptr ? 0 : base.bits + static_cast<uint64_t>(expected - rows.data()) * sizeof(Row));
    }
  }
}

TEST(Random, SameNumbersAsHost) {
  FakeGuest g;
  for (const unsigned seed : {1u, 42u, 0u, 4000000000u}) {
    std::srand(seed);
    ASSERT_EQ(g.run("srand", {seed}), Status::Done);
    unsigned state = seed;
    const Pointer guest_state = g.make(4);
    ASSERT_TRUE(g.write(guest_state, &seed, 4));
    unsigned short numbers[3] = {static_cast<unsigned short>(seed), 2, 3};
    const Pointer guest_numbers = g.make(sizeof numbers);
    ASSERT_TRUE(g.write(guest_numbers, numbers, sizeof numbers));
    for (int i = 0; i < 1000; i++) {
      ASSERT_EQ(g.run("rand", {}), Status::Done);
      ASSERT_EQ(g.int_value(), std::rand());
      ASSERT_EQ(g.run("rand_r", {guest_state.bits}), Status::Done);
      ASSERT_EQ(g.int_value(), rand_r(&state));
      ASSERT_EQ(g.run("erand48", {guest_numbers.bits}), Status::Done);
      ASSERT_EQ(g.double_value(), erand48(numbers));
      ASSERT_EQ(g.run("jrand48", {guest_numbers.bits}), Status::Done);
      ASSERT_EQ(static_cast<long>(g.value()), jrand48(numbers));
    }
  }
}

TEST(Math, EqualsHost) {
  std::mt19937_64 random(6);
  FakeGuest g;
  for (int round = 0; round < 2000; round++) {
    const double x = round % 3 == 0 ? __builtin_bit_cast(double, uint64_t{random()})
                                    : (static_cast<double>(random() % 20000) - 10000) / 100;
    const double y = static_cast<double>(random() % 100) / 7;
    const auto check = [&](const char* name, double expected, std::vector<double> arguments) {
      std::vector<uint64_t> bits;
      for (const double one : arguments) bits.push_back(__builtin_bit_cast(uint64_t, one));
      ASSERT_EQ(g.run(name, bits), Status::Done) << name;
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(g.double_value())) << name;
      } else {
        EXPECT_EQ(g.value(), __builtin_bit_cast(uint64_t, expected)) << name << " " << x;
      }
    };
    check("sin", std::sin(x), {x});
    check("sqrt", std::sqrt(x), {x});
    check("pow", std::pow(x, y), {x, y});
    check("atan2", std::atan2(x, y), {x, y});
    check("fmod", std::fmod(x, y), {x, y});
    check("tgamma", std::tgamma(y), {y});
    check("fma", std::fma(x, y, 1.0), {x, y, 1.0});
    check("round", std::round(x), {x});
    const float f = static_cast<float>(x);
    ASSERT_EQ(g.run("expf", {__builtin_bit_cast(uint32_t, f)}), Status::Done);
    EXPECT_EQ(g.value(), __builtin_bit_cast(uint32_t, std::exp(f)));
    g.long_double_arguments({static_cast<long double>(y)});
    ASSERT_EQ(g.run("logl", {}), Status::Done);
    EXPECT_EQ(g.long_double_value(), std::log(static_cast<long double>(y)));
  }
  g.clear_error();
  ASSERT_EQ(g.run("log", {__builtin_bit_cast(uint64_t, -1.0)}), Status::Done);
  EXPECT_EQ(g.error(), EDOM);
}

TEST(Time, CalendarEqualsHost) {
  std::mt19937_64 random(10);
  FakeGuest g;
  setenv("TZ", "UTC", 1);
  const std::string form =
      "%a %A %b %B %c %C %d %D %e %F %g %G %H %I %j %k %l %m %M %p %P %r %R %S %T %u %U %V %w %W %y %Y %% %-d %_5d "
      "%05e %^a %s";
  for (int round = 0; round < 3000; round++) {
    const time_t seconds = static_cast<time_t>(random() % 200'000'000'000) - 100'000'000'000;
    struct tm expected;
    ASSERT_NE(gmtime_r(&seconds, &expected), nullptr);
    const Pointer in = g.make(8), tm = g.make(56), out = g.make(512);
    ASSERT_TRUE(g.write(in, &seconds, 8));
    ASSERT_EQ(g.run("gmtime_r", {in.bits, tm.bits}), Status::Done);
    EXPECT_EQ(g.bytes_at(tm, 36), std::string(reinterpret_cast<const char*>(&expected), 36)) << seconds;
    char text[512];
    const size_t size = strftime(text, sizeof text, form.c_str(), &expected);
    ASSERT_EQ(g.run("strftime", {out.bits, 512, g.make_text(form).bits, tm.bits}), Status::Done);
    EXPECT_EQ(g.value(), size);
    EXPECT_EQ(g.text_at(out), std::string(text)) << seconds;
    expected.tm_mon += static_cast<int>(random() % 40) - 20;
    expected.tm_mday += static_cast<int>(random() % 100) - 50;
    ASSERT_TRUE(g.write(tm, &expected, 56));
    const time_t back = timegm(&expected);
    ASSERT_EQ(g.run("mktime", {tm.bits}), Status::Done);
    EXPECT_EQ(static_cast<time_t>(g.value()), back);
    EXPECT_EQ(g.bytes_at(tm, 36), std::string(reinterpret_cast<const char*>(&expected), 36)) << seconds;
  }
}

TEST(Leaving, HandlersRunLastFirst) {
  FakeGuest g;
  std::string order;
  g.functions[1] = [&](auto) { return order += "1", 0u; };
  g.functions[2] = [&](auto) { return order += "2", 0u; };
  ASSERT_EQ(g.run("atexit", {1}), Status::Done);
  ASSERT_EQ(g.run("atexit", {2}), Status::Done);
  ASSERT_EQ(g.run("exit", {259}), Status::Done);
  EXPECT_EQ(order, "21");
  EXPECT_EQ(g.exit_code, 3);
  EXPECT_EQ(g.run("__assert_fail", {g.make_text("x > 0").bits, g.make_text("f.c").bits, 3, g.make_text("main").bits}),
            Status::Faulted);
  EXPECT_EQ(g.fault_message, "assertion 'x > 0' failed in main");
}

TEST(Leaving, Environment) {
  FakeGuest g;
  const Pointer name = g.make_text("NAME");
  ASSERT_EQ(g.run("getenv", {name.bits}), Status::Done);
  EXPECT_EQ(g.value(), 0u);
  ASSERT_EQ(g.run("setenv", {name.bits, g.make_text("one").bits, 1}), Status::Done);
  ASSERT_EQ(g.run("setenv", {name.bits, g.make_text("two").bits, 0}), Status::Done);
  ASSERT_EQ(g.run("getenv", {name.bits}), Status::Done);
  EXPECT_EQ(g.text_at(Pointer{g.value()}), "one");
  ASSERT_EQ(g.run("unsetenv", {name.bits}), Status::Done);
  ASSERT_EQ(g.run("getenv", {name.bits}), Status::Done);
  EXPECT_EQ(g.value(), 0u);
}

TEST(Tables, NoNameTwice) {
  std::set<std::string_view> names;
  for (const auto& table : {string_builtins(), ctype_builtins(), stdlib_builtins(), stdio_builtins(), math_builtins(),
                            time_builtins(), posix_builtins(), fortify_builtins()}) {
    for (const BuiltinRow& row : table) {
      EXPECT_TRUE(names.insert(row.name).second) << row.name;
      EXPECT_NE(row.run, nullptr) << row.name;
    }
  }
  EXPECT_EQ(names.size(), library_builtins().size());
}

}  // namespace
}  // namespace heddle::machine
