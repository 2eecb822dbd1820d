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
    for (const auto& value : ::testing::internal::Parameters<fixture>::all()) {          \
      fixture##_##name##_Test::parameter() = &value;                                     \
      ::testing::internal::run_case<fixture##_##name##_Test>(#fixture, #name);           \
    }                                                                                    \
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
    ::testing::internal::ForTypes<suite##_##name##_Test>::run(#suite, #name, suite##_heddle_types()); \
  }                                                                                      \
  template <typename T>                                                                  \
  void suite##_##name##_Test<T>::TestBody()

#define HEDDLE_GTEST_CHECK(what, outcome)                                                \
  switch (0)                                                                             \
  case 0:                                                                                \
  default:                                                                               \
    if (const ::heddle_test::Outcome heddle_outcome = outcome) {                         \
    } else                                                                               \
      ::heddle_test::Failure(what, heddle_outcome) = ::heddle_test::Message()
#define HEDDLE_GTEST_COMPARE(macro, Comparison, a, b) \
  HEDDLE_GTEST_CHECK(macro "(" #a ", " #b ")", (::heddle_test::compare<::heddle_test::Comparison>(a, b)))
#define EXPECT_TRUE(condition) HEDDLE_GTEST_TRUE("EXPECT_TRUE(" #condition ")", condition)
#define ASSERT_TRUE(condition) HEDDLE_GTEST_TRUE("ASSERT_TRUE(" #condition ")", condition)
#define EXPECT_FALSE(condition) HEDDLE_GTEST_TRUE("EXPECT_FALSE(" #condition ")", !::testing::AssertionResult(condition))
#define ASSERT_FALSE(condition) HEDDLE_GTEST_TRUE("ASSERT_FALSE(" #condition ")", !::testing::AssertionResult(condition))
#define GTEST_EXPECT_TRUE EXPECT_TRUE
#define GTEST_ASSERT_TRUE ASSERT_TRUE
#define HEDDLE_GTEST_TRUE(what, condition)                                               \
  switch (0)                                                                             \
  case 0:                                                                                \
  default:                                                                               \
    if (const ::testing::AssertionResult heddle_result = ::testing::AssertionResult(condition)) { \
    } else                                                                               \
      ::heddle_test::Failure(what, ::heddle_test::Outcome(false)) =                      \
          ::heddle_test::Message(heddle_result.message())

#define EXPECT_EQ(a, b) HEDDLE_GTEST_COMPARE("EXPECT_EQ", Equal, a, b)
#define EXPECT_NE(a, b) HEDDLE_GTEST_COMPARE("EXPECT_NE", NotEqual, a, b)
#define EXPECT_LT(a, b) HEDDLE_GTEST_COMPARE("EXPECT_LT", Less, a, b)
#define EXPECT_LE(a, b) HEDDLE_GTEST_COMPARE("EXPECT_LE", LessEqual, a, b)
#define EXPECT_GT(a, b) HEDDLE_GTEST_COMPARE("EXPECT_GT", Greater, a, b)
#define EXPECT_GE(a, b) HEDDLE_GTEST_COMPARE("EXPECT_GE", GreaterEqual, a, b)
#define ASSERT_EQ(a, b) HEDDLE_GTEST_COMPARE("ASSERT_EQ", Equal, a, b)
#define ASSERT_NE(a, b) HEDDLE_GTEST_COMPARE("ASSERT_NE", NotEqual, a, b)
#define ASSERT_LT(a, b) HEDDLE_GTEST_COMPARE("ASSERT_LT", Less, a, b)
#define ASSERT_LE(a, b) HEDDLE_GTEST_COMPARE("ASSERT_LE", LessEqual, a, b)
#define ASSERT_GT(a, b) HEDDLE_GTEST_COMPARE("ASSERT_GT", Greater, a, b)
#define ASSERT_GE(a, b) HEDDLE_GTEST_COMPARE("ASSERT_GE", GreaterEqual, a, b)

#define HEDDLE_GTEST_TEXT(macro, same, a, b, wanted) \
  HEDDLE_GTEST_CHECK(macro "(" #a ", " #b ")", ::heddle_test::compare_text<const char*>(same(a, b), a, b, wanted))
#define EXPECT_STREQ(a, b) HEDDLE_GTEST_TEXT("EXPECT_STREQ", ::heddle_test::same_text, a, b, true)
#define ASSERT_STREQ(a, b) HEDDLE_GTEST_TEXT("ASSERT_STREQ", ::heddle_test::same_text, a, b, true)
#define EXPECT_STRNE(a, b) HEDDLE_GTEST_TEXT("EXPECT_STRNE", ::heddle_test::same_text, a, b, false)
#define ASSERT_STRNE(a, b) HEDDLE_GTEST_TEXT("ASSERT_STRNE", ::heddle_test::same_text, a, b, false)
#define EXPECT_STRCASEEQ(a, b) HEDDLE_GTEST_TEXT("EXPECT_STRCASEEQ", ::heddle_test::same_letters, a, b, true)
#define ASSERT_STRCASEEQ(a, b) HEDDLE_GTEST_TEXT("ASSERT_STRCASEEQ", ::heddle_test::same_letters, a, b, true)

#define HEDDLE_GTEST_NEAR(macro, a, b, most) \
  HEDDLE_GTEST_CHECK(macro "(" #a ", " #b ")", ::heddle_test::near_to(a, b, most))
#define EXPECT_NEAR(a, b, most) HEDDLE_GTEST_NEAR("EXPECT_NEAR", a, b, most)
#define ASSERT_NEAR(a, b, most) HEDDLE_GTEST_NEAR("ASSERT_NEAR", a, b, most)
#define EXPECT_FLOAT_EQ(a, b) HEDDLE_GTEST_NEAR("EXPECT_FLOAT_EQ", a, b, ::heddle_test::tolerance(b))
#define ASSERT_FLOAT_EQ(a, b) HEDDLE_GTEST_NEAR("ASSERT_FLOAT_EQ", a, b, ::heddle_test::tolerance(b))
#define EXPECT_DOUBLE_EQ(a, b) HEDDLE_GTEST_NEAR("EXPECT_DOUBLE_EQ", a, b, ::heddle_test::tolerance(b) * 1e-8)
#define ASSERT_DOUBLE_EQ(a, b) HEDDLE_GTEST_NEAR("ASSERT_DOUBLE_EQ", a, b, ::heddle_test::tolerance(b) * 1e-8)

#define EXPECT_PRED1(predicate, a) HEDDLE_GTEST_TRUE("EXPECT_PRED1(" #predicate ", " #a ")", predicate(a))
#define EXPECT_PRED2(predicate, a, b) HEDDLE_GTEST_TRUE("EXPECT_PRED2(" #predicate ", " #a ", " #b ")", predicate(a, b))
#define ASSERT_PRED1(predicate, a) HEDDLE_GTEST_TRUE("ASSERT_PRED1(" #predicate ", " #a ")", predicate(a))
#define ASSERT_PRED2(predicate, a, b) HEDDLE_GTEST_TRUE("ASSERT_PRED2(" #predicate ", " #a ", " #b ")", predicate(a, b))

#define HEDDLE_GTEST_ANY(macro, statement, wanted)                                       \
  HEDDLE_GTEST_CHECK(macro "(" #statement ")", ::heddle_test::Outcome([&]() -> bool {    \
    try {                                                                                \
      if (::heddle_test::always()) {                                                     \
        statement;                                                                       \
      }                                                                                  \
    } catch (...) {                                                                      \
      return wanted;                                                                     \
    }                                                                                    \
    return !wanted;                                                                      \
  }()))
#define EXPECT_THROW(statement, type) HEDDLE_GTEST_TYPED("EXPECT_THROW", statement, type)
#define ASSERT_THROW(statement, type) HEDDLE_GTEST_TYPED("ASSERT_THROW", statement, type)
#define HEDDLE_GTEST_TYPED(macro, statement, type)                                       \
  HEDDLE_GTEST_CHECK(macro "(" #statement ", " #type ")", ::heddle_test::Outcome([&]() -> bool { \
    try {                                                                                \
      if (::heddle_test::always()) {                                                     \
        statement;                                                                       \
      }                                                                                  \
    } catch (type const&) {                                                              \
      return true;                                                                       \
    } catch (...) {                                                                      \
    }                                                                                    \
    return false;                                                                        \
  }()))
#define EXPECT_NO_THROW(statement) HEDDLE_GTEST_ANY("EXPECT_NO_THROW", statement, false)
#define ASSERT_NO_THROW(statement) HEDDLE_GTEST_ANY("ASSERT_NO_THROW", statement, false)
#define EXPECT_ANY_THROW(statement) HEDDLE_GTEST_ANY("EXPECT_ANY_THROW", statement, true)
#define ASSERT_ANY_THROW(statement) HEDDLE_GTEST_ANY("ASSERT_ANY_THROW", statement, true)
#define EXPECT_NO_FATAL_FAILURE(statement) \
  do {                                     \
    statement;                             \
  } while (false)
#define ASSERT_NO_FATAL_FAILURE EXPECT_NO_FATAL_FAILURE

#define HEDDLE_GTEST_FAIL(what) ::heddle_test::Failure(what, ::heddle_test::Outcome(false)) = ::heddle_test::Message()
#define ADD_FAILURE() HEDDLE_GTEST_FAIL("ADD_FAILURE()")
#define ADD_FAILURE_AT(file, line) HEDDLE_GTEST_FAIL("ADD_FAILURE_AT(" #file ", " #line ")")
#define GTEST_FAIL() HEDDLE_GTEST_FAIL("FAIL()")
#ifndef GTEST_DONT_DEFINE_FAIL
#define FAIL() HEDDLE_GTEST_FAIL("FAIL()")
#endif
#define GTEST_SUCCEED() static_cast<void>(0), ::heddle_test::Message()
#ifndef GTEST_DONT_DEFINE_SUCCEED
#define SUCCEED() GTEST_SUCCEED()
#endif
#define GTEST_SKIP() return ::testing::internal::SkipHelper() = ::testing::Message()
#define SCOPED_TRACE(message) static_cast<void>(message)
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
