// Catch2's templated cases. Each is one target, which runs its body with every type or list of arguments.
#pragma once
#pragma GCC system_header
#include "heddle/each.hpp"
#include "heddle/expressions.hpp"

// `parameters` and `names`: of the template, in parentheses. `runs`: statements that run the body.
#define HEDDLE_TEMPLATED_BODY(line, name, parameters, runs)                    \
  template <HEDDLE_BARE(parameters)>                                           \
  static void HEDDLE_JOIN(heddle_case_, line)();                               \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, line), name) { runs }                 \
  template <HEDDLE_BARE(parameters)>                                           \
  static void HEDDLE_JOIN(heddle_case_, line)()
#define HEDDLE_TEMPLATED_FIXTURE(line, name, fixture, parameters, names, runs) \
  namespace {                                                                  \
  template <HEDDLE_BARE(parameters)>                                           \
  struct HEDDLE_JOIN(heddle_case_, line) : fixture<HEDDLE_BARE(names)> {       \
    void run();                                                                \
  };                                                                           \
  }                                                                            \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, line), name) { runs }                 \
  template <HEDDLE_BARE(parameters)>                                           \
  void HEDDLE_JOIN(heddle_case_, line)<HEDDLE_BARE(names)>::run()
// One run. `context`: (line, tags).
#define HEDDLE_RUN_BODY(context, arguments) HEDDLE_RUN_BODY_(HEDDLE_BARE(context), HEDDLE_BARE(arguments))
#define HEDDLE_RUN_BODY_(...) HEDDLE_RUN_BODY_1(__VA_ARGS__)
#define HEDDLE_RUN_BODY_1(line, tags, ...) \
  ::heddle_test::run_case(::Catch::expects(tags), [] { HEDDLE_JOIN(heddle_case_, line)<__VA_ARGS__>(); });
#define HEDDLE_RUN_FIXTURE(context, arguments) HEDDLE_RUN_FIXTURE_(HEDDLE_BARE(context), HEDDLE_BARE(arguments))
#define HEDDLE_RUN_FIXTURE_(...) HEDDLE_RUN_FIXTURE_1(__VA_ARGS__)
#define HEDDLE_RUN_FIXTURE_1(line, tags, ...)                                                     \
  ::heddle_test::run_case(::Catch::expects(tags), [] {                                            \
    HEDDLE_JOIN(heddle_case_, line)<__VA_ARGS__> test;                                            \
    test.run();                                                                                   \
  });
// A product: each template with each list of arguments.
#define HEDDLE_PRODUCT(context, made) HEDDLE_PRODUCT_(HEDDLE_BARE(context), made)
#define HEDDLE_PRODUCT_(...) HEDDLE_PRODUCT_1(__VA_ARGS__)
#define HEDDLE_PRODUCT_1(run, line, tags, arguments, made) \
  HEDDLE_INNER(HEDDLE_PRODUCT_RUN, (run, line, tags, made), HEDDLE_BARE(arguments))
#define HEDDLE_PRODUCT_RUN(context, arguments) HEDDLE_PRODUCT_RUN_(HEDDLE_BARE(context), HEDDLE_BARE(arguments))
#define HEDDLE_PRODUCT_RUN_(...) HEDDLE_PRODUCT_RUN_1(__VA_ARGS__)
#define HEDDLE_PRODUCT_RUN_1(run, line, tags, made, ...) run((line, tags), (made<__VA_ARGS__>))

// The signature of a *_SIG case: "((typename T, int N), T, N)".
#define HEDDLE_PARAMETERS(signature) HEDDLE_FIRST(HEDDLE_BARE(signature))
#define HEDDLE_NAMES(signature) (HEDDLE_REST(HEDDLE_BARE(signature)))
#define HEDDLE_REST(...) HEDDLE_REST_(__VA_ARGS__)
#define HEDDLE_REST_(first, ...) __VA_ARGS__

#define HEDDLE_CATCH_TYPES(name, tags, ...)                    \
  HEDDLE_TEMPLATED_BODY(__LINE__, name, (typename TestType),   \
                        HEDDLE_EACH(HEDDLE_RUN_BODY, (__LINE__, tags), __VA_ARGS__))
#define HEDDLE_CATCH_METHOD_TYPES(fixture, name, tags, ...)                                    \
  HEDDLE_TEMPLATED_FIXTURE(__LINE__, name, fixture, (typename TestType), (TestType),           \
                           HEDDLE_EACH(HEDDLE_RUN_FIXTURE, (__LINE__, tags), __VA_ARGS__))
#define HEDDLE_CATCH_SIGNATURE(name, tags, signature, ...)           \
  HEDDLE_TEMPLATED_BODY(__LINE__, name, HEDDLE_PARAMETERS(signature), \
                        HEDDLE_EACH(HEDDLE_RUN_BODY, (__LINE__, tags), __VA_ARGS__))
#define HEDDLE_CATCH_METHOD_SIGNATURE(fixture, name, tags, signature, ...)                                     \
  HEDDLE_TEMPLATED_FIXTURE(__LINE__, name, fixture, HEDDLE_PARAMETERS(signature), HEDDLE_NAMES(signature),     \
                           HEDDLE_EACH(HEDDLE_RUN_FIXTURE, (__LINE__, tags), __VA_ARGS__))
#define HEDDLE_CATCH_PRODUCT(name, tags, templates, arguments) \
  HEDDLE_TEMPLATED_BODY(                                                  \
      __LINE__, name, (typename TestType),                                \
      HEDDLE_EACH(HEDDLE_PRODUCT, (HEDDLE_RUN_BODY, __LINE__, tags, arguments), HEDDLE_BARE(templates)))
#define HEDDLE_CATCH_METHOD_PRODUCT(fixture, name, tags, templates, arguments) \
  HEDDLE_TEMPLATED_FIXTURE(                                                               \
      __LINE__, name, fixture, (typename TestType), (TestType),                           \
      HEDDLE_EACH(HEDDLE_PRODUCT, (HEDDLE_RUN_FIXTURE, __LINE__, tags, arguments), HEDDLE_BARE(templates)))
// Each type of a list such as std::tuple<int, float>. `statements`: what a run does, in parentheses.
#define HEDDLE_CATCH_LIST(name, tags, ...)                                                                   \
  template <typename TestType>                                                                               \
  static void HEDDLE_JOIN(heddle_case_, __LINE__)();                                                         \
  HEDDLE_LISTED(__LINE__, name, tags, (HEDDLE_JOIN(heddle_case_, __LINE__)<TestType>();), __VA_ARGS__)       \
  template <typename TestType>                                                                               \
  static void HEDDLE_JOIN(heddle_case_, __LINE__)()
#define HEDDLE_CATCH_METHOD_LIST(fixture, name, tags, ...)                                                   \
  namespace {                                                                                                \
  template <typename TestType>                                                                               \
  struct HEDDLE_JOIN(heddle_case_, __LINE__) : fixture<TestType> {                                           \
    void run();                                                                                              \
  };                                                                                                         \
  }                                                                                                          \
  HEDDLE_LISTED(__LINE__, name, tags, (HEDDLE_JOIN(heddle_case_, __LINE__)<TestType> test; test.run();), __VA_ARGS__) \
  template <typename TestType>                                                                               \
  void HEDDLE_JOIN(heddle_case_, __LINE__)<TestType>::run()
#define HEDDLE_LISTED(line, name, tags, statements, ...)                                                     \
  namespace {                                                                                                \
  template <typename TestType>                                                                               \
  struct HEDDLE_JOIN(HEDDLE_JOIN(heddle_entry_, line), _types) {                                             \
    static void run() { HEDDLE_BARE(statements) }                                                            \
  };                                                                                                         \
  }                                                                                                          \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, line), name) {                                                      \
    ::heddle_test::run_listed<HEDDLE_JOIN(HEDDLE_JOIN(heddle_entry_, line), _types)>(                        \
        ::Catch::expects(tags), static_cast<__VA_ARGS__*>(nullptr));                                         \
  }

// A member function that is a case: `METHOD_AS_TEST_CASE(Type::member, name, tags)`.
#define HEDDLE_CATCH_MEMBER(member, ...) \
  HEDDLE_CATCH_MEMBER_(__LINE__, member, HEDDLE_FIRST(__VA_ARGS__), HEDDLE_SECOND(__VA_ARGS__))
#define HEDDLE_CATCH_MEMBER_(line, member, name, tags)                                  \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, line), name) {                                 \
    ::heddle_test::run_case(::Catch::expects(tags), [] { ::Catch::run_member(&member); }); \
  }
namespace Catch {
template <typename Fixture>
void run_member(void (Fixture::*member)()) {
  Fixture test;
  (test.*member)();
}
}  // namespace Catch
// One fixture for all runs of a case.
#define HEDDLE_CATCH_KEPT_FIXTURE(fixture, ...) \
  HEDDLE_CATCH_KEPT_FIXTURE_(__LINE__, fixture, HEDDLE_FIRST(__VA_ARGS__), HEDDLE_SECOND(__VA_ARGS__))
#define HEDDLE_CATCH_KEPT_FIXTURE_(line, fixture, name, tags)                   \
  namespace {                                                                   \
  struct HEDDLE_JOIN(heddle_case_, line) : fixture {                            \
    void run() const;                                                           \
  };                                                                            \
  }                                                                             \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, line), name) {                         \
    HEDDLE_JOIN(heddle_case_, line) test;                                       \
    ::heddle_test::run_case(::Catch::expects(tags), [&] { test.run(); });       \
  }                                                                             \
  void HEDDLE_JOIN(heddle_case_, line)::run() const
