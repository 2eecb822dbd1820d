// What the models of test frameworks share: comparisons that keep the text of their operands, values as text, a check
// that fails, and the runs of a test case through its sections. C++11, as the oldest of the frameworks is.
#pragma once
#pragma GCC system_header

#include <stddef.h>

#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<bits/std_thread.h>)
#include <bits/std_thread.h>  // less than <thread>
#else
#include <thread>
#endif
#if __cplusplus >= 201703L
#include <optional>
#endif

// Runs the case that the checked program is for. Other cases do not run.
void heddle_run_case() __asm__("heddle.run_case");

#define HEDDLE_JOIN_(a, b) a##b
#define HEDDLE_JOIN(a, b) HEDDLE_JOIN_(a, b)
#define HEDDLE_TEXT_(x) #x
#define HEDDLE_TEXT(x) HEDDLE_TEXT_(x)
// A function that runs a case of this name; the front end finds it by its link name.
#define HEDDLE_CASE(function, name)                                               \
  __attribute__((used)) static void function() __asm__("heddle.case:" name);      \
  static void function()

// What a model lacks: a call that nobody defines, so that only a case that reaches it is inconclusive.
#define HEDDLE_LACKS(function, name) void function() __asm__(name " (not in Heddle's model)")
HEDDLE_LACKS(heddle_too_many_sections, "255 sections of one case");

#include "heddle/failures.hpp"

namespace heddle_test {

// Text of limited length: no allocation, which would be one more thing to explore.
struct Text {
  char data[240];
  unsigned size;
  unsigned vague;  // 1 for each pointer that is not null, 2 for each object that only its type tells apart

  Text() : size(0), vague(0) { data[0] = 0; }
  void add(char c) {
    if (size + 1 >= sizeof data) return;
    data[size++] = c;
    data[size] = 0;
  }
  void add(const char* text) {
    for (; *text; ++text) add(*text);
  }
  void add_number(unsigned long long value) {
    char digits[24];
    int count = 0;
    do digits[count++] = static_cast<char>('0' + value % 10);
    while (value /= 10);
    while (count > 0) add(digits[--count]);
  }
};

template <int N>
struct Rank : Rank<N - 1> {};
template <>
struct Rank<0> {};

template <typename T>
void print(Text& text, const T& value);

// How a value becomes text: of those that take its type, the one of the highest rank. Each has a rank of its own and
// takes its type alone, no type that converts to it: so one is always the best.
using Ranks = Rank<20>;
template <typename T, typename Other>
using IfSame = typename std::enable_if<std::is_same<typename std::remove_cv<T>::type, Other>::value>::type;
template <typename T, typename Other>  // a range of ranges of its own type has no end
using IfOther = typename std::enable_if<!std::is_same<typename std::decay<T>::type, Other>::value>::type;

template <typename T>
IfSame<T, bool> print_as(Text& text, const T& value, Rank<19>) {
  text.add(value ? "true" : "false");
}
template <typename T>
typename std::enable_if<std::is_integral<T>::value>::type print_as(Text& text, const T& value, Rank<18>) {
  if (sizeof(T) == 1 && value >= ' ' && value <= '~') {
    text.add('\'');
    text.add(static_cast<char>(value));
    return text.add('\'');
  }
  const bool negative = std::is_signed<T>::value && value < T(0);
  if (negative) text.add('-');
  const unsigned long long bits = static_cast<unsigned long long>(value);
  text.add_number(negative ? 0 - bits : bits);
}
template <typename T>
typename std::enable_if<std::is_floating_point<T>::value>::type print_as(Text& text, const T& value, Rank<17>) {
  char digits[40];
  __builtin_snprintf(digits, sizeof digits, "%.9g", static_cast<double>(value));
  text.add(digits);
}
template <typename T>
typename std::enable_if<std::is_enum<T>::value>::type print_as(Text& text, const T& value, Rank<16>) {
  print(text, static_cast<long long>(value));
}
template <typename T>
IfSame<T, std::nullptr_t> print_as(Text& text, const T&, Rank<15>) {
  text.add("nullptr");
}
inline void print_text(Text& text, const char* value) {
  if (!value) return text.add("nullptr");
  text.add('"');
  text.add(value);
  text.add('"');
}
template <typename T>
typename std::enable_if<std::is_same<typename std::decay<T>::type, const char*>::value ||
                        std::is_same<typename std::decay<T>::type, char*>::value>::type
print_as(Text& text, const T& value, Rank<14>) {
  print_text(text, value);
}
// Arrays and functions are used by their address, too.
template <typename T>
typename std::enable_if<std::is_pointer<typename std::decay<T>::type>::value>::type print_as(Text& text, const T& value,
                                                                                             Rank<13>) {
  const volatile typename std::decay<const T>::type pointer = value;
  text.add(pointer ? "a pointer" : "nullptr");
  if (pointer) text.vague += 1;
}
// "thread 1" is main.
template <typename T>
IfSame<T, std::thread::id> print_as(Text& text, const T& value, Rank<12>) {
  unsigned long handle = 0;
  __builtin_memcpy(&handle, &value, sizeof handle);
  if (handle == 0) return text.add("no thread");
  text.add("thread ");
  text.add_number(handle);
}
#if __cplusplus >= 201703L
template <typename T>
IfSame<T, std::nullopt_t> print_as(Text& text, const T&, Rank<11>) {
  text.add("no value");
}
#endif
// std::optional and its like.
template <typename T>
auto print_as(Text& text, const T& value, Rank<10>) -> decltype(value.has_value(), print(text, *value)) {
  if (!value.has_value()) return text.add("no value");
  print(text, *value);
}
// Smart pointers.
template <typename T>
auto print_as(Text& text, const T& value, Rank<9>)
    -> decltype(static_cast<typename T::element_type*>(value.get()), void()) {
  print(text, static_cast<const void*>(value.get()));
}
// Durations: "250 ms", "3 x 1/30 s".
template <typename T>
auto print_as(Text& text, const T& value, Rank<8>) -> decltype(value.count(), T::period::num, void()) {
  const long long num = T::period::num, den = T::period::den;
  print(text, value.count());
  if (num == 1 && den == 1000000000) return text.add(" ns");
  if (num == 1 && den == 1000000) return text.add(" us");
  if (num == 1 && den == 1000) return text.add(" ms");
  if (num == 1 && den == 1) return text.add(" s");
  if (num == 60 && den == 1) return text.add(" min");
  if (num == 3600 && den == 1) return text.add(" h");
  text.add(" x ");
  print(text, num);
  if (den != 1) {
    text.add('/');
    print(text, den);
  }
  text.add(" s");
}
// Points in time.
template <typename T>
auto print_as(Text& text, const T& value, Rank<7>) -> decltype(value.time_since_epoch().count(), void()) {
  print(text, value.time_since_epoch());
  text.add(" since the epoch");
}
template <typename Tuple, size_t N, size_t Size>
struct TupleText {
  static void add(Text& text, const Tuple& value) {
    if (N > 0) text.add(", ");
    print(text, std::get<N>(value));
    TupleText<Tuple, N + 1, Size>::add(text, value);
  }
};
template <typename Tuple, size_t Size>
struct TupleText<Tuple, Size, Size> {
  static void add(Text&, const Tuple&) {}
};
template <typename... Parts>
void print_tuple(Text& text, const std::tuple<Parts...>& value) {
  text.add('(');
  TupleText<std::tuple<Parts...>, 0, sizeof...(Parts)>::add(text, value);
  text.add(')');
}
template <typename T>
auto print_as(Text& text, const T& value, Rank<6>) -> decltype(print_tuple(text, value)) {
  print_tuple(text, value);
}
// Paths of files.
template <typename T>
auto print_as(Text& text, const T& value, Rank<5>) -> decltype(value.native().length(), void()) {
  print(text, value.native());
}
template <typename T>
auto print_as(Text& text, const T& value, Rank<4>) -> decltype(value.c_str(), value.length(), void()) {
  text.add('"');
  for (size_t n = 0; n < value.length(); ++n) text.add(static_cast<char>(value.c_str()[n]));
  text.add('"');
}
template <typename T>
auto print_as(Text& text, const T& value, Rank<3>) -> decltype(value.first, value.second, void()) {
  text.add('(');
  print(text, value.first);
  text.add(", ");
  print(text, value.second);
  text.add(')');
}
template <typename T>
auto print_as(Text& text, const T& value, Rank<1>)
    -> decltype(value.begin() != value.end(), IfOther<decltype(*value.begin()), T>()) {
  text.add("{");
  int count = 0;
  for (auto at = value.begin(); at != value.end(); ++at) {
    text.add(count ? ", " : " ");
    if (++count > 8) {
      text.add("...");
      break;
    }
    print(text, *at);
  }
  text.add(" }");
}
// std::atomic and its like.
template <typename T>
typename std::enable_if<std::is_class<T>::value && std::is_convertible<T, long long>::value>::type print_as(
    Text& text, const T& value, Rank<2>) {
  print(text, static_cast<long long>(value));
}
template <typename T>
void print_as(Text& text, const T&, Rank<0>) {
  text.add("an object of ");
  text.add_number(sizeof(T));
  text.add(" bytes");
  text.vague += 2;
}
template <typename T>
void print(Text& text, const T& value) {
  print_as(text, value, Ranks());
}

#define HEDDLE_COMPARISON(Name, op)                        \
  struct Name {                                            \
    static const char* text() { return " " #op " "; }      \
    template <typename A, typename B>                      \
    static bool holds(const A& a, const B& b) {            \
      return static_cast<bool>(a op b);                    \
    }                                                      \
  };
HEDDLE_COMPARISON(Equal, ==)
HEDDLE_COMPARISON(NotEqual, !=)
HEDDLE_COMPARISON(Less, <)
HEDDLE_COMPARISON(LessEqual, <=)
HEDDLE_COMPARISON(Greater, >)
HEDDLE_COMPARISON(GreaterEqual, >=)
#undef HEDDLE_COMPARISON

// Whether a check holds; if it does not, its values as text.
struct Outcome {
  bool holds;
  Text values;

  explicit Outcome(bool good) : holds(good) {}
  explicit operator bool() const { return holds; }
};

template <typename Comparison, typename A, typename B>
Outcome compare(const A& a, const B& b) {
  Outcome outcome(Comparison::holds(a, b));
  if (outcome.holds) return outcome;
  outcome.values.add("not ");
  print(outcome.values, a);
  outcome.values.add(Comparison::text());
  print(outcome.values, b);
  // "a pointer == a pointer" says less than the expression alone.
  if (outcome.values.vague > 1) outcome.values = Text();
  return outcome;
}

inline bool same_text(const char* a, const char* b) {
  if (!a || !b) return a == b;
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}
inline bool same_letters(const char* a, const char* b) {
  if (!a || !b) return a == b;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  while (*a && lower(*a) == lower(*b)) ++a, ++b;
  return lower(*a) == lower(*b);
}
template <typename T>
Outcome compare_text(bool same, const T& a, const T& b, bool wanted) {
  Outcome outcome(same == wanted);
  if (outcome.holds) return outcome;
  print(outcome.values, a);
  outcome.values.add(wanted ? " is not " : " is ");
  print(outcome.values, b);
  return outcome;
}
inline Outcome near_to(double a, double b, double most) {
  const double difference = a < b ? b - a : a - b;
  Outcome outcome(difference <= most);
  if (outcome.holds) return outcome;
  print(outcome.values, a);
  outcome.values.add(" and ");
  print(outcome.values, b);
  return outcome;
}
// At most 4 units in the last place apart, as GoogleTest's FLOAT_EQ and DOUBLE_EQ want it.
template <typename T, typename Bits>
Outcome almost(T a, T b) {
  const auto place_of = [](T value) {
    Bits bits = 0;
    __builtin_memcpy(&bits, &value, sizeof bits);
    const Bits sign = Bits(1) << (sizeof bits * 8 - 1);
    return bits & sign ? ~bits + 1 : bits | sign;
  };
  const Bits of_a = place_of(a), of_b = place_of(b);
  Outcome outcome(a == a && b == b && (of_a < of_b ? of_b - of_a : of_a - of_b) <= 4);
  if (outcome.holds) return outcome;
  print(outcome.values, a);
  outcome.values.add(" and ");
  print(outcome.values, b);
  return outcome;
}
inline Outcome almost_float(float a, float b) { return almost<float, unsigned>(a, b); }
inline Outcome almost_double(double a, double b) { return almost<double, unsigned long long>(a, b); }

template <typename T>
using IfWrites = typename std::enable_if<
    std::is_class<T>::value && !std::is_convertible<T, long long>::value &&
    std::is_base_of<std::ostream, typename std::decay<decltype(std::declval<std::ostream&>()
                                                               << std::declval<const T&>())>::type>::value>::type;
// What a test says. A framework writes it at once, so it reads the values. Manipulators of streams change nothing.
class Message {
 public:
  Message() {}
  explicit Message(const char* text) { text_.add(text); }
  explicit Message(const std::string& text) { text_.add(text.c_str()); }
  Message& operator<<(const char* text) {
    text_.add(text ? text : "nullptr");
    return *this;
  }
  Message& operator<<(char c) {
    text_.add(c);
    return *this;
  }
  Message& operator<<(const std::string& text) { return *this << text.c_str(); }
  Message& operator<<(std::ostream& (*)(std::ostream&)) { return *this; }
  Message& operator<<(std::ios_base& (*)(std::ios_base&)) { return *this; }
  template <typename T>
  Message& operator<<(const T& value) {
    write(value, Rank<1>());
    print(text_, value);
    return *this;
  }
  template <typename T>
  Message& operator,(const T& value) {
    return *this << value;
  }
  const Text& text() const { return text_; }
  std::string GetString() const { return text_.data; }

 private:
  // What a type's own operator reads, it reads here, too; what it writes is not kept.
  template <typename T>
  static IfWrites<T> write(const T& value, Rank<1>) {
    std::ostream nowhere(nullptr);
    nowhere << value;
  }
  template <typename T>
  static void write(const T&, Rank<0>) {}
  Text text_;
};
// "Message() << parts + End()": there may be no parts.
struct End {
  Message operator+() const { return Message(); }
};
inline Message& operator<<(Message& message, const Message& other) { return message << other.text().data; }
template <typename T>
const T& operator+(const T& value, End) {
  return value;
}
inline bool written(const Message&) { return true; }
// Each value is read, as CAPTURE(a, b) does.
template <typename... T>
void captured(const T&... values) {
  Message all;
  const int read[] = {0, (static_cast<void>(all << values), 0)...};
  static_cast<void>(read);
}
inline void evaluated(bool) {}

[[noreturn]] inline void fail(const char* what, Text values, const Text& said) {
  if (said.size > 0) {
    if (values.size > 0) values.add("; ");
    values.add(said.data);
  }
  __heddle_check_failed(what, values.data);
}

// What follows a failed check: the test goes on, its function returns, or the case is left by an exception.
enum class After { GoOn, Return, Leave };

// "Failure(what, outcome) = Message() << more": ends the path, unless the test expects the failure.
struct Failure {
  const char* what;
  const Text& values;
  After after;

  Failure(const char* what, const Outcome& outcome, After after = After::GoOn)
      : what(what), values(outcome.values), after(after) {}
  void operator=(const Message& said) const {
    if (!Expected::counts(after != After::GoOn)) fail(what, values, said.text());
    if (after == After::Leave) throw Left();
  }
};

// `actual` or `value == other`, taken apart: Catch2's and doctest's way to see both operands.
template <typename T>
struct Operand {
  const T& value;

  template <typename B>
  Outcome operator==(const B& b) const { return compare<Equal>(value, b); }
  template <typename B>
  Outcome operator!=(const B& b) const { return compare<NotEqual>(value, b); }
  template <typename B>
  Outcome operator<(const B& b) const { return compare<Less>(value, b); }
  template <typename B>
  Outcome operator<=(const B& b) const { return compare<LessEqual>(value, b); }
  template <typename B>
  Outcome operator>(const B& b) const { return compare<Greater>(value, b); }
  template <typename B>
  Outcome operator>=(const B& b) const { return compare<GreaterEqual>(value, b); }
  operator Outcome() const { return Outcome(static_cast<bool>(value)); }
};
struct Decomposer {
  template <typename T>
  Operand<T> operator<<(const T& value) const { return Operand<T>{value}; }
};
inline Outcome outcome_of(const Outcome& outcome) { return outcome; }
inline Outcome negated(Outcome outcome) {
  outcome.holds = !outcome.holds;
  return outcome;
}

inline bool always() { return true; }  // for statements that the compiler would say are never reached

}  // namespace heddle_test
