// Catch2, versions 2 and 3: a test case runs once for each path through its sections.
#pragma once
#pragma GCC system_header
#include "heddle/catch2_values.hpp"

#define CATCH_VERSION_MAJOR 3

namespace Catch {

// How near is near differs between frameworks.
struct Approx : heddle_test::Approx {
  template <typename T, typename = typename std::enable_if<std::is_constructible<double, T>::value>::type>
  explicit Approx(const T& of) : heddle_test::Approx(static_cast<double>(of), false) {}
  Approx(const heddle_test::Approx& other) : heddle_test::Approx(other) {}
  static Approx custom() { return Approx(0); }
};
namespace Detail {
using Catch::Approx;
}
inline namespace literals {
inline Approx operator""_a(long double value) { return Approx(static_cast<double>(value)); }
inline Approx operator""_a(unsigned long long value) { return Approx(static_cast<double>(value)); }
}  // namespace literals

class Session {
 public:
  int applyCommandLine(int, const char* const*) { return 0; }
  int run() {
    heddle_run_case();
    return 0;
  }
  template <typename Character>
  int run(int, const Character* const*) {
    return run();
  }
};

// What a case's tags say of its failures.
inline bool has_tag(const char* tags, const char* tag) {
  for (; *tags; ++tags) {
    const char *a = tags, *b = tag;
    while (*b && *a == *b) ++a, ++b;
    if (!*b) return true;
  }
  return false;
}
inline heddle_test::Expectation expects(const char* tags) {
  heddle_test::Expectation made;
  if (has_tag(tags, "[!mayfail]")) made.may_fail("[!mayfail]");
  if (has_tag(tags, "[!shouldfail]")) made.should_fail("[!shouldfail]");
  return made;
}

}  // namespace Catch
using Catch::Approx;

#if defined(CATCH_CONFIG_MAIN)
int main() { return Catch::Session().run(); }
#endif

#include "heddle/catch2_macros.hpp"
#include "heddle/catch2_templates.hpp"

#define HEDDLE_CATCH_CASE(...) HEDDLE_CATCH_CASE_(__LINE__, HEDDLE_FIRST(__VA_ARGS__), HEDDLE_SECOND(__VA_ARGS__))
#define HEDDLE_CATCH_CASE_(line, name, tags) HEDDLE_CASE_WITH_BODY(line, name, ::Catch::expects(tags))
#define HEDDLE_CATCH_METHOD(fixture, ...) \
  HEDDLE_CATCH_METHOD_(__LINE__, fixture, HEDDLE_FIRST(__VA_ARGS__), HEDDLE_SECOND(__VA_ARGS__))
#define HEDDLE_CATCH_METHOD_(line, fixture, name, tags) \
  HEDDLE_CASE_WITH_FIXTURE(line, name, fixture, ::Catch::expects(tags))
