// The part of a driver that is the same for all: results as text.
#include "server/frontend/harness/write.h"

namespace heddle::frontend::harness {
namespace {

constexpr char kCommon[] = R"text(
#include <pthread.h>

// The result of a call as text, so that results of any type can be compared and shown.
typedef struct heddle_text {
  char data[96];
  unsigned size;
  int done;
} heddle_text;
typedef struct heddle_run {
  void* scene;
  heddle_text results[9];
} heddle_run;

static inline void heddle_add(heddle_text* text, const char* more) {
  for (; *more && text->size + 1 < sizeof text->data; ++more) text->data[text->size++] = *more;
}
static inline void heddle_number(heddle_text* text, int negative, unsigned long long value) {
  char digits[24];
  int count = 24;
  digits[--count] = 0;
  do digits[--count] = (char)('0' + value % 10);
  while (value /= 10);
  if (negative) heddle_add(text, "-");
  heddle_add(text, digits + count);
}
)text";

constexpr char kC[] = R"text(
static inline void heddle_result(heddle_text* text, long long value) {
  if (text->size) heddle_add(text, ", ");
  heddle_number(text, value < 0, value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value);
}
static inline void heddle_pointer(heddle_text* text, const void* value) {
  if (text->size) heddle_add(text, ", ");
  heddle_add(text, value ? "a pointer" : "null");
}
)text";

constexpr char kCxx[] = R"text(
#include <type_traits>

namespace heddle_shown {
template <int N>
struct rank : rank<N - 1> {};
template <>
struct rank<0> {};
template <typename T>
void show(heddle_text* text, const T& value);

template <typename T>
typename std::enable_if<std::is_same<T, bool>::value>::type as(heddle_text* text, const T& value, rank<6>) {
  heddle_add(text, value ? "true" : "false");
}
template <typename T>
typename std::enable_if<std::is_integral<T>::value>::type as(heddle_text* text, const T& value, rank<5>) {
  const bool negative = std::is_signed<T>::value && value < T(0);
  const unsigned long long bits = static_cast<unsigned long long>(value);
  heddle_number(text, negative, negative ? 0 - bits : bits);
}
template <typename T>
typename std::enable_if<std::is_enum<T>::value>::type as(heddle_text* text, const T& value, rank<5>) {
  as(text, static_cast<long long>(value), rank<6>());
}
template <typename T>
typename std::enable_if<std::is_floating_point<T>::value>::type as(heddle_text* text, const T& value, rank<5>) {
  as(text, static_cast<long long>(value * 1000), rank<6>());
  heddle_add(text, "/1000");
}
inline void as(heddle_text* text, const char* value, rank<6>) { heddle_add(text, value ? value : "null"); }
// What is behind it is read, as a caller would.
template <typename T>
auto as(heddle_text* text, const T& value, rank<4>)
    -> decltype(static_cast<bool>(value), static_cast<void>(*value), typename std::enable_if<!std::is_function<
                typename std::remove_reference<decltype(*value)>::type>::value>::type()) {
  if (!static_cast<bool>(value)) return heddle_add(text, "none");
  show(text, *value);
}
template <typename T>
auto as(heddle_text* text, const T& value, rank<3>) -> decltype(value.c_str(), value.length(), void()) {
  heddle_add(text, value.c_str());
}
template <typename T>
auto as(heddle_text* text, const T& value, rank<2>) -> decltype(value.first, value.second, void()) {
  show(text, value.first);
  heddle_add(text, ":");
  show(text, value.second);
}
template <typename T>
auto as(heddle_text* text, const T& value, rank<1>) -> decltype(value.begin() != value.end(), void()) {
  heddle_add(text, "{");
  for (const auto& item : value) {
    show(text, item);
    heddle_add(text, " ");
  }
  heddle_add(text, "}");
}
template <typename T>
typename std::enable_if<std::is_trivially_copyable<T>::value && std::is_copy_constructible<T>::value>::type bytes(const T& value, rank<1>) {
  T copy = value;
  static_cast<void>(*reinterpret_cast<volatile char*>(&copy));
}
template <typename T>
void bytes(const T&, rank<0>) {}
template <typename T>
void as(heddle_text*, const T& value, rank<0>) {
  bytes(value, rank<1>());
}
template <typename T>
void show(heddle_text* text, const T& value) {
  as(text, value, rank<6>());
}
}  // namespace heddle_shown

template <typename T>
void heddle_result(heddle_text* text, const T& value) {
  if (text->size) heddle_add(text, ", ");
  heddle_shown::show(text, value);
}
static inline void heddle_threw(heddle_text* text) { heddle_add(text, "an exception"); }
)text";

}  // namespace

const char* runtime_text(bool cxx) {
  static const std::string c = std::string(kCommon) + kC, cpp = std::string(kCommon) + kCxx;
  return cxx ? cpp.c_str() : c.c_str();
}

}  // namespace heddle::frontend::harness
