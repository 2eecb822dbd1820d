// GoogleTest's checks.
#pragma once
#pragma GCC system_header

// EXPECT_ goes on, ASSERT_ returns: after a failure that the test expects.
#define HEDDLE_AFTER_EXPECT GoOn
#define HEDDLE_AFTER_ASSERT Return
#define HEDDLE_BACK_EXPECT
#define HEDDLE_BACK_ASSERT return
#define HEDDLE_GTEST_FAILURE(after, what, outcome) \
  ::heddle_test::Failure(what, outcome, ::heddle_test::After::after) = ::heddle_test::Message()
#define HEDDLE_GTEST_CHECK(kind, what, outcome) \
  HEDDLE_GTEST_CHECK_(HEDDLE_AFTER_##kind, HEDDLE_BACK_##kind, what, outcome)
#define HEDDLE_GTEST_CHECK_(after, back, what, outcome)                                  \
  switch (0)                                                                             \
  case 0:                                                                                \
  default:                                                                               \
    if (const ::heddle_test::Outcome heddle_outcome = outcome) {                         \
    } else                                                                               \
      back HEDDLE_GTEST_FAILURE(after, what, heddle_outcome)
#define HEDDLE_GTEST_TRUE(kind, what, condition) \
  HEDDLE_GTEST_TRUE_(HEDDLE_AFTER_##kind, HEDDLE_BACK_##kind, what, condition)
#define HEDDLE_GTEST_TRUE_(after, back, what, condition)                                 \
  switch (0)                                                                             \
  case 0:                                                                                \
  default:                                                                               \
    if (const ::testing::AssertionResult heddle_result = ::testing::AssertionResult(condition)) { \
    } else                                                                               \
      back HEDDLE_GTEST_FAILURE(after, what, ::heddle_test::Outcome(false)) << heddle_result.message()
#define HEDDLE_GTEST_COMPARE(kind, macro, Comparison, a, b) \
  HEDDLE_GTEST_CHECK(kind, macro "(" #a ", " #b ")", (::heddle_test::compare<::heddle_test::Comparison>(a, b)))
#define HEDDLE_GTEST_TEXT(kind, macro, same, a, b, wanted)                               \
  HEDDLE_GTEST_CHECK(kind, macro "(" #a ", " #b ")",                                     \
                     ::heddle_test::compare_text<const char*>(::heddle_test::same(a, b), a, b, wanted))
#define HEDDLE_GTEST_NEAR(kind, macro, a, b, most) \
  HEDDLE_GTEST_CHECK(kind, macro "(" #a ", " #b ")", ::heddle_test::near_to(a, b, most))
#define HEDDLE_GTEST_ALMOST(kind, macro, almost, a, b) \
  HEDDLE_GTEST_CHECK(kind, macro "(" #a ", " #b ")", ::heddle_test::almost(a, b))
#define HEDDLE_GTEST_THROWN(statement, handlers, otherwise)                              \
  ::heddle_test::Outcome([&]() -> bool {                                                 \
    try {                                                                                \
      if (::heddle_test::always()) {                                                     \
        statement;                                                                       \
      }                                                                                  \
    } handlers                                                                           \
    return otherwise;                                                                    \
  }())
#define HEDDLE_GTEST_ANY(kind, macro, statement, wanted) \
  HEDDLE_GTEST_CHECK(kind, macro "(" #statement ")",     \
                     HEDDLE_GTEST_THROWN(statement, catch (...) { return wanted; }, !wanted))
#define HEDDLE_GTEST_TYPED(kind, macro, statement, type)                                 \
  HEDDLE_GTEST_CHECK(kind, macro "(" #statement ", " #type ")",                          \
                     HEDDLE_GTEST_THROWN(statement, catch (type const&) { return true; } catch (...) {}, false))

#define EXPECT_TRUE(condition) HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_TRUE(" #condition ")", condition)
#define EXPECT_FALSE(condition) \
  HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_FALSE(" #condition ")", !::testing::AssertionResult(condition))
#define GTEST_EXPECT_TRUE EXPECT_TRUE
#define GTEST_EXPECT_FALSE EXPECT_FALSE
#define EXPECT_EQ(a, b) HEDDLE_GTEST_COMPARE(EXPECT, "EXPECT_EQ", Equal, a, b)
#define EXPECT_NE(a, b) HEDDLE_GTEST_COMPARE(EXPECT, "EXPECT_NE", NotEqual, a, b)
#define EXPECT_LT(a, b) HEDDLE_GTEST_COMPARE(EXPECT, "EXPECT_LT", Less, a, b)
#define EXPECT_LE(a, b) HEDDLE_GTEST_COMPARE(EXPECT, "EXPECT_LE", LessEqual, a, b)
#define EXPECT_GT(a, b) HEDDLE_GTEST_COMPARE(EXPECT, "EXPECT_GT", Greater, a, b)
#define EXPECT_GE(a, b) HEDDLE_GTEST_COMPARE(EXPECT, "EXPECT_GE", GreaterEqual, a, b)
#define EXPECT_STREQ(a, b) HEDDLE_GTEST_TEXT(EXPECT, "EXPECT_STREQ", same_text, a, b, true)
#define EXPECT_STRNE(a, b) HEDDLE_GTEST_TEXT(EXPECT, "EXPECT_STRNE", same_text, a, b, false)
#define EXPECT_STRCASEEQ(a, b) HEDDLE_GTEST_TEXT(EXPECT, "EXPECT_STRCASEEQ", same_letters, a, b, true)
#define EXPECT_STRCASENE(a, b) HEDDLE_GTEST_TEXT(EXPECT, "EXPECT_STRCASENE", same_letters, a, b, false)
#define EXPECT_NEAR(a, b, most) HEDDLE_GTEST_NEAR(EXPECT, "EXPECT_NEAR", a, b, most)
#define EXPECT_FLOAT_EQ(a, b) HEDDLE_GTEST_ALMOST(EXPECT, "EXPECT_FLOAT_EQ", almost_float, a, b)
#define EXPECT_DOUBLE_EQ(a, b) HEDDLE_GTEST_ALMOST(EXPECT, "EXPECT_DOUBLE_EQ", almost_double, a, b)
#define EXPECT_PRED1(predicate, a) HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_PRED1(" #predicate ", " #a ")", predicate(a))
#define EXPECT_PRED_FORMAT1(format, a) \
  HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_PRED_FORMAT1(" #format ", " #a ")", format(#a, a))
#define EXPECT_PRED2(predicate, a, b) \
  HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_PRED2(" #predicate ", " #a ", " #b ")", predicate(a, b))
#define EXPECT_PRED_FORMAT2(format, a, b) \
  HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_PRED_FORMAT2(" #format ", " #a ", " #b ")", format(#a, #b, a, b))
#define EXPECT_PRED3(predicate, a, b, c) \
  HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_PRED3(" #predicate ", " #a ", " #b ", " #c ")", predicate(a, b, c))
#define EXPECT_PRED_FORMAT3(format, a, b, c) \
  HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_PRED_FORMAT3(" #format ", " #a ", " #b ", " #c ")", format(#a, #b, #c, a, b, c))
#define EXPECT_PRED4(predicate, a, b, c, d) \
  HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_PRED4(" #predicate ", " #a ", " #b ", " #c ", " #d ")", predicate(a, b, c, d))
#define EXPECT_PRED_FORMAT4(format, a, b, c, d) \
  HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_PRED_FORMAT4(" #format ", " #a ", " #b ", " #c ", " #d ")", \
                    format(#a, #b, #c, #d, a, b, c, d))
#define EXPECT_PRED5(predicate, a, b, c, d, e) \
  HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_PRED5(" #predicate ", " #a ", " #b ", " #c ", " #d ", " #e ")", \
                    predicate(a, b, c, d, e))
#define EXPECT_PRED_FORMAT5(format, a, b, c, d, e) \
  HEDDLE_GTEST_TRUE(EXPECT, "EXPECT_PRED_FORMAT5(" #format ", " #a ", " #b ", " #c ", " #d ", " #e ")", \
                    format(#a, #b, #c, #d, #e, a, b, c, d, e))
#define EXPECT_THROW(statement, type) HEDDLE_GTEST_TYPED(EXPECT, "EXPECT_THROW", statement, type)
#define EXPECT_NO_THROW(statement) HEDDLE_GTEST_ANY(EXPECT, "EXPECT_NO_THROW", statement, false)
#define EXPECT_ANY_THROW(statement) HEDDLE_GTEST_ANY(EXPECT, "EXPECT_ANY_THROW", statement, true)

#define ASSERT_TRUE(condition) HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_TRUE(" #condition ")", condition)
#define ASSERT_FALSE(condition) \
  HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_FALSE(" #condition ")", !::testing::AssertionResult(condition))
#define GTEST_ASSERT_TRUE ASSERT_TRUE
#define GTEST_ASSERT_FALSE ASSERT_FALSE
#define ASSERT_EQ(a, b) HEDDLE_GTEST_COMPARE(ASSERT, "ASSERT_EQ", Equal, a, b)
#define GTEST_ASSERT_EQ ASSERT_EQ
#define ASSERT_NE(a, b) HEDDLE_GTEST_COMPARE(ASSERT, "ASSERT_NE", NotEqual, a, b)
#define GTEST_ASSERT_NE ASSERT_NE
#define ASSERT_LT(a, b) HEDDLE_GTEST_COMPARE(ASSERT, "ASSERT_LT", Less, a, b)
#define GTEST_ASSERT_LT ASSERT_LT
#define ASSERT_LE(a, b) HEDDLE_GTEST_COMPARE(ASSERT, "ASSERT_LE", LessEqual, a, b)
#define GTEST_ASSERT_LE ASSERT_LE
#define ASSERT_GT(a, b) HEDDLE_GTEST_COMPARE(ASSERT, "ASSERT_GT", Greater, a, b)
#define GTEST_ASSERT_GT ASSERT_GT
#define ASSERT_GE(a, b) HEDDLE_GTEST_COMPARE(ASSERT, "ASSERT_GE", GreaterEqual, a, b)
#define GTEST_ASSERT_GE ASSERT_GE
#define ASSERT_STREQ(a, b) HEDDLE_GTEST_TEXT(ASSERT, "ASSERT_STREQ", same_text, a, b, true)
#define ASSERT_STRNE(a, b) HEDDLE_GTEST_TEXT(ASSERT, "ASSERT_STRNE", same_text, a, b, false)
#define ASSERT_STRCASEEQ(a, b) HEDDLE_GTEST_TEXT(ASSERT, "ASSERT_STRCASEEQ", same_letters, a, b, true)
#define ASSERT_STRCASENE(a, b) HEDDLE_GTEST_TEXT(ASSERT, "ASSERT_STRCASENE", same_letters, a, b, false)
#define ASSERT_NEAR(a, b, most) HEDDLE_GTEST_NEAR(ASSERT, "ASSERT_NEAR", a, b, most)
#define ASSERT_FLOAT_EQ(a, b) HEDDLE_GTEST_ALMOST(ASSERT, "ASSERT_FLOAT_EQ", almost_float, a, b)
#define ASSERT_DOUBLE_EQ(a, b) HEDDLE_GTEST_ALMOST(ASSERT, "ASSERT_DOUBLE_EQ", almost_double, a, b)
#define ASSERT_PRED1(predicate, a) HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_PRED1(" #predicate ", " #a ")", predicate(a))
#define ASSERT_PRED_FORMAT1(format, a) \
  HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_PRED_FORMAT1(" #format ", " #a ")", format(#a, a))
#define ASSERT_PRED2(predicate, a, b) \
  HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_PRED2(" #predicate ", " #a ", " #b ")", predicate(a, b))
#define ASSERT_PRED_FORMAT2(format, a, b) \
  HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_PRED_FORMAT2(" #format ", " #a ", " #b ")", format(#a, #b, a, b))
#define ASSERT_PRED3(predicate, a, b, c) \
  HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_PRED3(" #predicate ", " #a ", " #b ", " #c ")", predicate(a, b, c))
#define ASSERT_PRED_FORMAT3(format, a, b, c) \
  HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_PRED_FORMAT3(" #format ", " #a ", " #b ", " #c ")", format(#a, #b, #c, a, b, c))
#define ASSERT_PRED4(predicate, a, b, c, d) \
  HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_PRED4(" #predicate ", " #a ", " #b ", " #c ", " #d ")", predicate(a, b, c, d))
#define ASSERT_PRED_FORMAT4(format, a, b, c, d) \
  HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_PRED_FORMAT4(" #format ", " #a ", " #b ", " #c ", " #d ")", \
                    format(#a, #b, #c, #d, a, b, c, d))
#define ASSERT_PRED5(predicate, a, b, c, d, e) \
  HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_PRED5(" #predicate ", " #a ", " #b ", " #c ", " #d ", " #e ")", \
                    predicate(a, b, c, d, e))
#define ASSERT_PRED_FORMAT5(format, a, b, c, d, e) \
  HEDDLE_GTEST_TRUE(ASSERT, "ASSERT_PRED_FORMAT5(" #format ", " #a ", " #b ", " #c ", " #d ", " #e ")", \
                    format(#a, #b, #c, #d, #e, a, b, c, d, e))
#define ASSERT_THROW(statement, type) HEDDLE_GTEST_TYPED(ASSERT, "ASSERT_THROW", statement, type)
#define ASSERT_NO_THROW(statement) HEDDLE_GTEST_ANY(ASSERT, "ASSERT_NO_THROW", statement, false)
#define ASSERT_ANY_THROW(statement) HEDDLE_GTEST_ANY(ASSERT, "ASSERT_ANY_THROW", statement, true)

#define EXPECT_NO_FATAL_FAILURE(statement) \
  do {                                     \
    statement;                             \
  } while (false)
#define ASSERT_NO_FATAL_FAILURE EXPECT_NO_FATAL_FAILURE

// The text of the failure is not compared.
#define HEDDLE_GTEST_FAILS(what, statement, fatal, all_threads)                          \
  HEDDLE_GTEST_CHECK(EXPECT, what, ::testing::internal::fails_once(fatal, all_threads, [&] { \
    if (::heddle_test::always()) {                                                       \
      statement;                                                                         \
    }                                                                                    \
  }))
#define EXPECT_FATAL_FAILURE(statement, text) \
  HEDDLE_GTEST_FAILS("EXPECT_FATAL_FAILURE(" #statement ")", statement, true, false)
#define EXPECT_NONFATAL_FAILURE(statement, text) \
  HEDDLE_GTEST_FAILS("EXPECT_NONFATAL_FAILURE(" #statement ")", statement, false, false)
#define EXPECT_FATAL_FAILURE_ON_ALL_THREADS(statement, text) \
  HEDDLE_GTEST_FAILS("EXPECT_FATAL_FAILURE_ON_ALL_THREADS(" #statement ")", statement, true, true)
#define EXPECT_NONFATAL_FAILURE_ON_ALL_THREADS(statement, text) \
  HEDDLE_GTEST_FAILS("EXPECT_NONFATAL_FAILURE_ON_ALL_THREADS(" #statement ")", statement, false, true)
