// Catch2, versions 2 and 3: a test case runs once for each path through its sections.
#pragma once
#pragma GCC system_header
#include "heddle/expressions.hpp"

#define CATCH_VERSION_MAJOR 3

namespace Catch {

using heddle_test::Approx;
namespace Detail {
using heddle_test::Approx;
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

template <typename A, typename B>
struct AreSame {
  static const bool value = std::is_same<A, B>::value;
};

}  // namespace Catch
using Catch::Approx;

#if defined(CATCH_CONFIG_MAIN)
int main() { return Catch::Session().run(); }
#endif

#ifdef CATCH_CONFIG_PREFIX_ALL
#define CATCH_TEST_CASE(...) HEDDLE_CATCH_CASE(__VA_ARGS__)
#define CATCH_TEST_CASE_METHOD(fixture, ...) HEDDLE_CATCH_METHOD(fixture, __VA_ARGS__)
#define CATCH_SECTION(...) HEDDLE_SECTION(__LINE__, __VA_ARGS__)
#define CATCH_REQUIRE(...) HEDDLE_CHECK_EXPRESSION("CATCH_REQUIRE", __VA_ARGS__)
#define CATCH_CHECK(...) HEDDLE_CHECK_EXPRESSION("CATCH_CHECK", __VA_ARGS__)
#define CATCH_REQUIRE_FALSE(...) HEDDLE_CHECK_NOT("CATCH_REQUIRE_FALSE", __VA_ARGS__)
#define CATCH_CHECK_FALSE(...) HEDDLE_CHECK_NOT("CATCH_CHECK_FALSE", __VA_ARGS__)
#define CATCH_FAIL(...) HEDDLE_FAIL("CATCH_FAIL", "" __VA_ARGS__)
#else
#include "heddle/catch2_macros.hpp"
#endif

#define HEDDLE_CATCH_CASE(...) HEDDLE_CATCH_CASE_(__LINE__, HEDDLE_FIRST(__VA_ARGS__))
#define HEDDLE_CATCH_CASE_(line, name) HEDDLE_CASE_WITH_BODY(line, name)
#define HEDDLE_CATCH_METHOD(fixture, ...) HEDDLE_CATCH_METHOD_(__LINE__, fixture, HEDDLE_FIRST(__VA_ARGS__))
#define HEDDLE_CATCH_METHOD_(line, fixture, name) HEDDLE_CASE_WITH_FIXTURE(line, name, fixture)
