// GoogleTest's macros over googletest.hpp.
#pragma once
#pragma GCC system_header

#define GTEST_TEST_CLASS_NAME_(suite, name) suite##_##name##_Test
#define FRIEND_TEST(suite, name) friend class suite##_##name##_Test

#define HEDDLE_GTEST(suite, name, parent)                                                \
  class suite##_##name##_Test : public parent {                                          \
   public:                                                                               \
    void TestBody() override;                                                            \
  };                                                                                     \
  HEDDLE_CASE(suite##_##name##_heddle_case, #suite "." #name) {                          \
    ::testing::internal::run_case<suite##_##name##_Test>(#suite, #name);                 \
  }                                                                                      \
  void suite##_##name##_Test::TestBody()
#define GTEST_TEST(suite, name) HEDDLE_GTEST(suite, name, ::testing::Test)
#ifndef GTEST_DONT_DEFINE_TEST
#define TEST(suite, name) GTEST_TEST(suite, name)
#endif
#define GTEST_TEST_F(fixture, name) HEDDLE_GTEST(fixture, name, fixture)
#define TEST_F(fixture, name) HEDDLE_GTEST(fixture, name, fixture)
#define TEST_P(fixture, name)                                                            \
  class fixture##_##name##_Test : public fixture {                                       \
   public:                                                                               \
    void TestBody() override;                                                            \
  };                                                                                     \
  HEDDLE_CASE(fixture##_##name##_heddle_case, #fixture "." #name) {                      \
    ::testing::internal::run_parameters<fixture, fixture##_##name##_Test>(#fixture, #name); \
  }                                                                                      \
  void fixture##_##name##_Test::TestBody()
#define INSTANTIATE_TEST_SUITE_P(prefix, suite, ...)                                     \
  static const bool prefix##suite##_heddle_parameters __attribute__((used)) =            \
      ::testing::internal::Parameters<suite>::add(__VA_ARGS__)
#define INSTANTIATE_TEST_CASE_P INSTANTIATE_TEST_SUITE_P
#define GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite) static_assert(true, "")

template <typename T>
struct heddle_types_of {
  typedef ::testing::Types<T> type;
};
template <typename... T>
struct heddle_types_of<::testing::internal::TypeList<T...>> {
  typedef ::testing::internal::TypeList<T...> type;
};
#define TYPED_TEST_SUITE(suite, types, ...) typedef ::heddle_types_of<types>::type suite##_heddle_types
#define TYPED_TEST_CASE TYPED_TEST_SUITE
#define TYPED_TEST(suite, name)                                                          \
  template <typename T>                                                                  \
  class suite##_##name##_Test : public suite<T> {                                        \
   public:                                                                               \
    typedef suite<T> TestFixture;                                                        \
    typedef T TypeParam;                                                                 \
    void TestBody() override;                                                            \
  };                                                                                     \
  HEDDLE_CASE(suite##_##name##_heddle_case, #suite "." #name) {                          \
    ::testing::internal::run_types(#suite, #name, ::testing::internal::TestList<suite##_##name##_Test>(), \
                                   suite##_heddle_types());                              \
  }                                                                                      \
  template <typename T>                                                                  \
  void suite##_##name##_Test<T>::TestBody()

// Type-parameterised: each instantiation is one case.
#define TYPED_TEST_SUITE_P(suite) \
  namespace heddle_suite_##suite {}
#define TYPED_TEST_P(suite, name)                                                        \
  namespace heddle_suite_##suite {                                                       \
  template <typename T>                                                                  \
  class name : public suite<T> {                                                         \
   public:                                                                               \
    typedef suite<T> TestFixture;                                                        \
    typedef T TypeParam;                                                                 \
    void TestBody() override;                                                            \
  };                                                                                     \
  }                                                                                      \
  template <typename T>                                                                  \
  void heddle_suite_##suite::name<T>::TestBody()
#define REGISTER_TYPED_TEST_SUITE_P(suite, ...)                                          \
  namespace heddle_suite_##suite {                                                       \
  typedef ::testing::internal::TestList<__VA_ARGS__> heddle_tests;                       \
  }                                                                                      \
  static_assert(true, "")
#define INSTANTIATE_TYPED_TEST_SUITE_P(prefix, suite, types, ...)                        \
  HEDDLE_CASE(prefix##_##suite##_heddle_case, #prefix "/" #suite) {                      \
    ::testing::internal::run_types(#suite, #prefix, heddle_suite_##suite::heddle_tests(), \
                                   ::heddle_types_of<types>::type());                    \
  }                                                                                      \
  static_assert(true, "")
#define TYPED_TEST_CASE_P TYPED_TEST_SUITE_P
#define REGISTER_TYPED_TEST_CASE_P REGISTER_TYPED_TEST_SUITE_P
#define INSTANTIATE_TYPED_TEST_CASE_P INSTANTIATE_TYPED_TEST_SUITE_P

#include "heddle/googletest_checks.hpp"

#define ADD_FAILURE() HEDDLE_GTEST_FAILURE(GoOn, "ADD_FAILURE()", ::heddle_test::Outcome(false))
#define ADD_FAILURE_AT(file, line) \
  HEDDLE_GTEST_FAILURE(GoOn, "ADD_FAILURE_AT(" #file ", " #line ")", ::heddle_test::Outcome(false))
#define GTEST_FAIL() return HEDDLE_GTEST_FAILURE(Return, "FAIL()", ::heddle_test::Outcome(false))
#define GTEST_FAIL_AT(file, line) GTEST_FAIL()
#ifndef GTEST_DONT_DEFINE_FAIL
#define FAIL() GTEST_FAIL()
#endif
#define GTEST_SUCCEED() static_cast<void>(0), ::heddle_test::Message()
#ifndef GTEST_DONT_DEFINE_SUCCEED
#define SUCCEED() GTEST_SUCCEED()
#endif
#define GTEST_SKIP() return ::testing::internal::SkipHelper() = ::testing::Message()
#define SCOPED_TRACE(message) \
  const ::testing::ScopedTrace HEDDLE_JOIN(heddle_trace_, __LINE__)(__FILE__, __LINE__, message)
// A process that dies is another process: what it does is not run.
#define HEDDLE_GTEST_DEATH(statement) \
  if (::heddle_test::always()) {      \
  } else {                            \
    statement;                        \
  }                                   \
  if (::heddle_test::always()) {      \
  } else                              \
    ::heddle_test::Message()
#define EXPECT_DEATH(statement, ...) HEDDLE_GTEST_DEATH(statement)
#define ASSERT_DEATH(statement, ...) HEDDLE_GTEST_DEATH(statement)
#define EXPECT_DEATH_IF_SUPPORTED(statement, ...) HEDDLE_GTEST_DEATH(statement)
#define ASSERT_DEATH_IF_SUPPORTED(statement, ...) HEDDLE_GTEST_DEATH(statement)
#define EXPECT_EXIT(statement, ...) HEDDLE_GTEST_DEATH(statement)
#define ASSERT_EXIT(statement, ...) HEDDLE_GTEST_DEATH(statement)
#ifdef NDEBUG
#define EXPECT_DEBUG_DEATH(statement, ...) \
  if (::heddle_test::always()) {           \
    statement;                             \
  } else                                   \
    ::heddle_test::Message()
#else
#define EXPECT_DEBUG_DEATH(statement, ...) HEDDLE_GTEST_DEATH(statement)
#endif
#define ASSERT_DEBUG_DEATH EXPECT_DEBUG_DEATH
