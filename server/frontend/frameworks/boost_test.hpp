// Boost.Test with automatic registration: each test case is a class with its fixture, in the namespaces of its suites.
#pragma once
#pragma GCC system_header
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iosfwd>

#include "heddle/boost_values.hpp"

#pragma clang diagnostic ignored "-Woverloaded-shift-op-parentheses"

#define BOOST_TEST_UNIT_TEST_HPP_071894GER

namespace mpl_ {
struct na;  // what boost::mpl::list<int> has for the types that it has not
}

namespace heddle_boost {

using heddle_test::Rank;

// A fixture's setup() and teardown(), where it has them.
template <typename Fixture>
auto set_up(Fixture& fixture, Rank<1>) -> decltype(fixture.setup(), void()) {
  fixture.setup();
}
template <typename Fixture>
void set_up(Fixture&, Rank<0>) {}
template <typename Fixture>
auto tear_down(Fixture& fixture, Rank<1>) -> decltype(fixture.teardown(), void()) {
  fixture.teardown();
}
template <typename Fixture>
void tear_down(Fixture&, Rank<0>) {}

// What is set up around a case: a fixture made and set up, torn down and destroyed.
struct Around {
  void (*set_up)();
  void (*tear_down)();
};
template <typename Fixture>
struct OneFixture {
  static Fixture*& it() {
    static Fixture* one = nullptr;
    return one;
  }
  static void make() {
    it() = new Fixture;
    heddle_boost::set_up(*it(), Rank<1>());
  }
  static void drop() {
    heddle_boost::tear_down(*it(), Rank<1>());
    delete it();
  }
  static Around around() { return {make, drop}; }
};
struct Arounds {
  Around all[16];
  unsigned count;
  bool add(const Around& one) {
    if (count < 16) all[count++] = one;
    return true;
  }
  void set_up() const {
    for (unsigned n = 0; n < count; ++n)
      if (all[n].set_up) all[n].set_up();
  }
  void tear_down() const {
    for (unsigned n = count; n-- > 0;)
      if (all[n].tear_down) all[n].tear_down();
  }
  static Arounds& of_this_program() {
    static Arounds one;
    return one;
  }
};

// What decorators say of a case.
struct Described {};
struct Decorators {
  Decorators() : arounds() {}
  Decorators(const Described&) : arounds() {}
  heddle_test::Expectation expects;
  Manner manner;
  Arounds arounds;
};
char only_described(const Described&);  // a suite whose decorators change its cases does not compile with the model

struct RunsOnce {
  template <typename Body>
  void operator()(const Body& body) const {
    body();
  }
};
template <typename Case, typename Decorated = Case, typename Body>
void run_case(const Body& body) {
  const Decorators decorators = Decorated::heddle_decorators();
  if (decorators.expects.skipped) return;
  Manner::of_this_case() = decorators.manner;
  const Arounds& global = Arounds::of_this_program();
  global.set_up();
  decorators.arounds.set_up();
  heddle_test::run_expecting(decorators.expects, RunsOnce(), [&] {
    Case test;
    set_up(test, Rank<1>());
    body(test);
    tear_down(test, Rank<1>());
  });
  decorators.arounds.tear_down();
  global.tear_down();
}
template <typename Case, typename Decorated = Case>
void run_case() {
  run_case<Case, Decorated>([](Case& test) { test.test_method(); });
}
// Each type of a list such as std::tuple<int, float> or boost::mpl::list<int, float>.
template <template <typename> class Case, typename Type, typename Decorated>
struct OneType {
  static void run() { run_case<Case<Type>, Decorated>(); }
};
template <template <typename> class Case, typename Decorated>
struct OneType<Case, mpl_::na, Decorated> {
  static void run() {}
};
template <template <typename> class Case, typename Decorated, template <typename...> class List, typename... Types>
void run_listed(List<Types...>*) {
  const int each[] = {0, (OneType<Case, Types, Decorated>::run(), 0)...};
  static_cast<void>(each);
}
// BOOST_TEST_DECORATOR before a case: the case has the next number.
template <int number>
struct Number {};
struct Undecorated {
  static Decorators with(const Decorators& decorators) { return decorators; }
};
template <int number>
Undecorated heddle_decorated(Number<number>);

}  // namespace heddle_boost

namespace boost {
namespace unit_test {
namespace decorator {
struct Describes {};
struct label : Describes {
  explicit label(const char*) {}
};
struct description : Describes {
  explicit description(const char*) {}
};
struct timeout : Describes {
  explicit timeout(unsigned) {}
};
struct depends_on : Describes {
  explicit depends_on(const char*) {}
};
template <bool condition>
struct enable_if {};
typedef enable_if<true> enabled;
typedef enable_if<false> disabled;
struct expected_failures {
  explicit expected_failures(int most) : most(most) {}
  int most;
};
template <typename Fixture>
heddle_boost::Around fixture() {
  return heddle_boost::OneFixture<Fixture>::around();
}
inline heddle_boost::Around fixture(void (*set_up)(), void (*tear_down)() = nullptr) { return {set_up, tear_down}; }

inline heddle_boost::Described operator*(const heddle_boost::Described& made, const Describes&) { return made; }
inline heddle_boost::Decorators operator*(heddle_boost::Decorators made, const Describes&) { return made; }
template <bool condition>
heddle_boost::Decorators operator*(heddle_boost::Decorators made, enable_if<condition>) {
  made.expects.skipped = !condition;
  return made;
}
// A check that leaves the case fails it, whatever is expected.
inline heddle_boost::Decorators operator*(heddle_boost::Decorators made, const expected_failures& expected) {
  made.expects.may_fail("expected_failures()");
  made.expects.at_most = expected.most;
  made.expects.stays = true;
  return made;
}
}  // namespace decorator
using decorator::depends_on;
using decorator::description;
using decorator::disabled;
using decorator::enable_if;
using decorator::enabled;
using decorator::expected_failures;
using decorator::fixture;
using decorator::label;
using decorator::timeout;
using test_tools::tolerance;
}  // namespace unit_test
}  // namespace boost

namespace heddle_boost {
inline Decorators operator*(Decorators made, const Around& around) {
  made.arounds.add(around);
  return made;
}
template <typename T>
Decorators operator*(Decorators made, const boost::test_tools::Tolerance<T>& tolerance) {
  made.manner << tolerance;
  return made;
}
struct NoFixture {};
}  // namespace heddle_boost
typedef heddle_boost::NoFixture BOOST_AUTO_TEST_CASE_FIXTURE;

#if (defined(BOOST_TEST_MODULE) || defined(BOOST_TEST_MAIN)) && !defined(BOOST_TEST_NO_MAIN)
int main() {
  heddle_run_case();
  return 0;
}
#endif

#define HEDDLE_BOOST_SUITE(...) \
  static_assert(sizeof(::heddle_boost::only_described(::heddle_boost::Described() __VA_ARGS__)) > 0, "")
#define BOOST_AUTO_TEST_SUITE(name, ...) \
  HEDDLE_BOOST_SUITE(__VA_ARGS__);       \
  namespace name {
#define BOOST_FIXTURE_TEST_SUITE(name, fixture, ...) \
  HEDDLE_BOOST_SUITE(__VA_ARGS__);                   \
  namespace name {                                   \
  typedef fixture BOOST_AUTO_TEST_CASE_FIXTURE;
#define BOOST_AUTO_TEST_SUITE_END() }
#define BOOST_FIXTURE_TEST_CASE(name, fixture, ...)                                      \
  struct name : public fixture {                                                         \
    void test_method();                                                                  \
    static ::heddle_boost::Decorators heddle_decorators() {                              \
      return decltype(heddle_decorated(::heddle_boost::Number<__COUNTER__>()))::with(    \
          ::heddle_boost::Described() __VA_ARGS__);                                      \
    }                                                                                    \
    __attribute__((used)) static void heddle_boost_case() { ::heddle_boost::run_case<name>(); } \
  };                                                                                     \
  void name::test_method()
#define BOOST_AUTO_TEST_CASE(name, ...) BOOST_FIXTURE_TEST_CASE(name, BOOST_AUTO_TEST_CASE_FIXTURE, __VA_ARGS__)
// One target, which runs the case with each type.
#define BOOST_FIXTURE_TEST_CASE_TEMPLATE(name, type, types, fixture)                     \
  template <typename type>                                                               \
  struct name : public fixture {                                                         \
    void test_method();                                                                  \
  };                                                                                     \
  struct HEDDLE_JOIN(name, _heddle_types) {                                              \
    static ::heddle_boost::Decorators heddle_decorators() {                              \
      return decltype(heddle_decorated(::heddle_boost::Number<__COUNTER__>()))::with(    \
          ::heddle_boost::Described());                                                  \
    }                                                                                    \
    __attribute__((used)) static void heddle_boost_case() {                              \
      ::heddle_boost::run_listed<name, HEDDLE_JOIN(name, _heddle_types)>(static_cast<types*>(nullptr)); \
    }                                                                                    \
  };                                                                                     \
  template <typename type>                                                               \
  void name<type>::test_method()
#define BOOST_AUTO_TEST_CASE_TEMPLATE(name, type, types) \
  BOOST_FIXTURE_TEST_CASE_TEMPLATE(name, type, types, BOOST_AUTO_TEST_CASE_FIXTURE)
#define BOOST_TEST_DECORATOR(...) HEDDLE_BOOST_DECORATOR(__COUNTER__, __VA_ARGS__)
#define HEDDLE_BOOST_DECORATOR(number, ...)                                              \
  struct HEDDLE_JOIN(heddle_case_, number) {                                             \
    static ::heddle_boost::Decorators with(const ::heddle_boost::Decorators& before) { return before __VA_ARGS__; } \
  };                                                                                     \
  HEDDLE_JOIN(heddle_case_, number) heddle_decorated(::heddle_boost::Number<number + 1>)
#define BOOST_AUTO_TEST_CASE_EXPECTED_FAILURES(name, most) \
  BOOST_TEST_DECORATOR(*::boost::unit_test::expected_failures(most));
#define BOOST_TEST_GLOBAL_FIXTURE(type)                                    \
  static const bool HEDDLE_JOIN(type, _heddle_fixture) __attribute__((used)) = \
      ::heddle_boost::Arounds::of_this_program().add(::heddle_boost::OneFixture<type>::around())
#define BOOST_GLOBAL_FIXTURE(type) BOOST_TEST_GLOBAL_FIXTURE(type)
#define BOOST_TEST_GLOBAL_CONFIGURATION(type) BOOST_TEST_GLOBAL_FIXTURE(type)

#include "heddle/boost_macros.hpp"
