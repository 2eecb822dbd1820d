// Boost.Test's checks and messages.
#pragma once
#pragma GCC system_header

// A check's `kind`: GoOn (CHECK), Leave (REQUIRE), or Warn, which never fails.
#define HEDDLE_BOOST_GoOn(what, outcome) HEDDLE_BOOST_CHECK(what, outcome, GoOn)
#define HEDDLE_BOOST_Leave(what, outcome) HEDDLE_BOOST_CHECK(what, outcome, Leave)
#define HEDDLE_BOOST_Warn(what, outcome) ::heddle_test::evaluated(static_cast<bool>(outcome))
#define HEDDLE_BOOST_CHECK(what, outcome, kind)                                          \
  do {                                                                                   \
    if (const ::heddle_test::Outcome heddle_outcome = outcome) {                         \
    } else                                                                               \
      ::heddle_test::Failure(what, heddle_outcome, ::heddle_test::After::kind) = ::heddle_test::Message(); \
  } while (false)
#define HEDDLE_BOOST_TEST(kind, what, expression, ...) \
  HEDDLE_BOOST_##kind(what, (::heddle_boost::Taken() << expression).outcome(HEDDLE_BOOST_MANNER(__VA_ARGS__)))
#define HEDDLE_BOOST_MANNER(...) (::heddle_boost::Manner(::heddle_boost::Manner::of_this_case()) << __VA_ARGS__)
#define HEDDLE_BOOST_BOOL(kind, macro, ...) \
  HEDDLE_BOOST_##kind(macro "(" #__VA_ARGS__ ")", ::heddle_test::Outcome(static_cast<bool>(__VA_ARGS__)))
#define HEDDLE_BOOST_COMPARE(kind, macro, Comparison, a, b) \
  HEDDLE_BOOST_##kind(macro "(" #a ", " #b ")",         \
                      (::heddle_boost::compare<::heddle_test::Comparison>(a, b, ::heddle_boost::Manner())))
#define HEDDLE_BOOST_CLOSE(kind, macro, a, b, fraction)                                  \
  HEDDLE_BOOST_##kind(macro "(" #a ", " #b ")",                                          \
                      (::heddle_boost::compare<::heddle_test::Equal>(                    \
                          a, b, ::heddle_boost::Manner() << ::boost::test_tools::tolerance(fraction))))
#define HEDDLE_BOOST_COLLECTIONS(kind, macro, a, a_end, b, b_end)       \
  HEDDLE_BOOST_##kind(macro "(" #a ", " #a_end ", " #b ", " #b_end ")", \
                      (::heddle_boost::compare_ranges(a, a_end, b, b_end)))
#define HEDDLE_BOOST_SAID(kind, what, condition, said) HEDDLE_BOOST_SAID_##kind(what, condition, said)
#define HEDDLE_BOOST_SAID_GoOn(what, condition, said) HEDDLE_BOOST_SAYING(what, condition, said, GoOn)
#define HEDDLE_BOOST_SAID_Leave(what, condition, said) HEDDLE_BOOST_SAYING(what, condition, said, Leave)
#define HEDDLE_BOOST_SAID_Warn(what, condition, said) ::heddle_test::evaluated(static_cast<bool>(condition))
#define HEDDLE_BOOST_SAYING(what, condition, said, kind)                                 \
  do {                                                                                   \
    if (condition) {                                                                     \
    } else                                                                               \
      HEDDLE_BOOST_FAIL(what, said, kind);                                               \
  } while (false)
#define HEDDLE_BOOST_FAIL(what, said, kind)                                              \
  ::heddle_test::Failure(what, ::heddle_test::Outcome(false), ::heddle_test::After::kind) = \
      (::heddle_test::Message() << said)
#define HEDDLE_BOOST_THROW(kind, macro, statement, type, condition)                      \
  HEDDLE_BOOST_##kind(macro "(" #statement ")", ::heddle_test::Outcome([&]() -> bool {   \
    try {                                                                                \
      if (::heddle_test::always()) {                                                     \
        statement;                                                                       \
      }                                                                                  \
    } catch (type const& heddle_thrown) {                                                \
      static_cast<void>(heddle_thrown);                                                  \
      return condition;                                                                  \
    } catch (...) {                                                                      \
    }                                                                                    \
    return false;                                                                        \
  }()))
#define HEDDLE_BOOST_NO_THROW(kind, macro, statement)                                    \
  HEDDLE_BOOST_##kind(macro "(" #statement ")", ::heddle_test::Outcome([&]() -> bool {   \
    try {                                                                                \
      if (::heddle_test::always()) {                                                     \
        statement;                                                                       \
      }                                                                                  \
    } catch (...) {                                                                      \
      return false;                                                                      \
    }                                                                                    \
    return true;                                                                         \
  }()))
// "f, (a)(b)" -> "f(a, b)"
#define HEDDLE_BOOST_CALL(predicate, values) predicate(HEDDLE_BOOST_END(HEDDLE_BOOST_FIRST values))
#define HEDDLE_BOOST_END(...) HEDDLE_BOOST_END_(__VA_ARGS__)
#define HEDDLE_BOOST_END_(...) __VA_ARGS__##_END
#define HEDDLE_BOOST_FIRST(value) value HEDDLE_BOOST_MORE
#define HEDDLE_BOOST_MORE(value) , value HEDDLE_BOOST_AGAIN
#define HEDDLE_BOOST_AGAIN(value) , value HEDDLE_BOOST_MORE
#define HEDDLE_BOOST_FIRST_END
#define HEDDLE_BOOST_MORE_END
#define HEDDLE_BOOST_AGAIN_END

#define BOOST_TEST_WARN(...) \
  HEDDLE_BOOST_TEST(Warn, "BOOST_TEST_WARN(" #__VA_ARGS__ ")", __VA_ARGS__, ::heddle_boost::NoManner())
#define BOOST_TEST_CHECK(...) \
  HEDDLE_BOOST_TEST(GoOn, "BOOST_TEST_CHECK(" #__VA_ARGS__ ")", __VA_ARGS__, ::heddle_boost::NoManner())
#define BOOST_TEST_REQUIRE(...) \
  HEDDLE_BOOST_TEST(Leave, "BOOST_TEST_REQUIRE(" #__VA_ARGS__ ")", __VA_ARGS__, ::heddle_boost::NoManner())
#define BOOST_TEST(...) HEDDLE_BOOST_TEST(GoOn, "BOOST_TEST(" #__VA_ARGS__ ")", __VA_ARGS__, ::heddle_boost::NoManner())
#define BOOST_WARN(...) HEDDLE_BOOST_BOOL(Warn, "BOOST_WARN", __VA_ARGS__)
#define BOOST_WARN_MESSAGE(condition, said) \
  HEDDLE_BOOST_SAID(Warn, "BOOST_WARN_MESSAGE(" #condition ")", condition, said)
#define BOOST_WARN_EQUAL(a, b) HEDDLE_BOOST_COMPARE(Warn, "BOOST_WARN_EQUAL", Equal, a, b)
#define BOOST_WARN_NE(a, b) HEDDLE_BOOST_COMPARE(Warn, "BOOST_WARN_NE", NotEqual, a, b)
#define BOOST_WARN_LT(a, b) HEDDLE_BOOST_COMPARE(Warn, "BOOST_WARN_LT", Less, a, b)
#define BOOST_WARN_LE(a, b) HEDDLE_BOOST_COMPARE(Warn, "BOOST_WARN_LE", LessEqual, a, b)
#define BOOST_WARN_GT(a, b) HEDDLE_BOOST_COMPARE(Warn, "BOOST_WARN_GT", Greater, a, b)
#define BOOST_WARN_GE(a, b) HEDDLE_BOOST_COMPARE(Warn, "BOOST_WARN_GE", GreaterEqual, a, b)
#define BOOST_WARN_CLOSE(a, b, percent) HEDDLE_BOOST_CLOSE(Warn, "BOOST_WARN_CLOSE", a, b, (percent) / 100.)
#define BOOST_WARN_CLOSE_FRACTION(a, b, fraction) HEDDLE_BOOST_CLOSE(Warn, "BOOST_WARN_CLOSE_FRACTION", a, b, fraction)
#define BOOST_WARN_SMALL(a, most) HEDDLE_BOOST_Warn("BOOST_WARN_SMALL(" #a ")", ::heddle_test::near_to(a, 0, most))
#define BOOST_WARN_BITWISE_EQUAL(a, b) HEDDLE_BOOST_COMPARE(Warn, "BOOST_WARN_BITWISE_EQUAL", Equal, a, b)
#define BOOST_WARN_EQUAL_COLLECTIONS(a, a_end, b, b_end) \
  HEDDLE_BOOST_COLLECTIONS(Warn, "BOOST_WARN_EQUAL_COLLECTIONS", a, a_end, b, b_end)
#define BOOST_WARN_PREDICATE(predicate, values) \
  HEDDLE_BOOST_BOOL(Warn, "BOOST_WARN_PREDICATE", HEDDLE_BOOST_CALL(predicate, values))
#define BOOST_WARN_THROW(statement, type) HEDDLE_BOOST_THROW(Warn, "BOOST_WARN_THROW", statement, type, true)
#define BOOST_WARN_EXCEPTION(statement, type, holds) \
  HEDDLE_BOOST_THROW(Warn, "BOOST_WARN_EXCEPTION", statement, type, holds(heddle_thrown))
#define BOOST_WARN_NO_THROW(statement) HEDDLE_BOOST_NO_THROW(Warn, "BOOST_WARN_NO_THROW", statement)
#define BOOST_CHECK(...) HEDDLE_BOOST_BOOL(GoOn, "BOOST_CHECK", __VA_ARGS__)
#define BOOST_CHECK_MESSAGE(condition, said) \
  HEDDLE_BOOST_SAID(GoOn, "BOOST_CHECK_MESSAGE(" #condition ")", condition, said)
#define BOOST_CHECK_EQUAL(a, b) HEDDLE_BOOST_COMPARE(GoOn, "BOOST_CHECK_EQUAL", Equal, a, b)
#define BOOST_CHECK_NE(a, b) HEDDLE_BOOST_COMPARE(GoOn, "BOOST_CHECK_NE", NotEqual, a, b)
#define BOOST_CHECK_LT(a, b) HEDDLE_BOOST_COMPARE(GoOn, "BOOST_CHECK_LT", Less, a, b)
#define BOOST_CHECK_LE(a, b) HEDDLE_BOOST_COMPARE(GoOn, "BOOST_CHECK_LE", LessEqual, a, b)
#define BOOST_CHECK_GT(a, b) HEDDLE_BOOST_COMPARE(GoOn, "BOOST_CHECK_GT", Greater, a, b)
#define BOOST_CHECK_GE(a, b) HEDDLE_BOOST_COMPARE(GoOn, "BOOST_CHECK_GE", GreaterEqual, a, b)
#define BOOST_CHECK_CLOSE(a, b, percent) HEDDLE_BOOST_CLOSE(GoOn, "BOOST_CHECK_CLOSE", a, b, (percent) / 100.)
#define BOOST_CHECK_CLOSE_FRACTION(a, b, fraction) \
  HEDDLE_BOOST_CLOSE(GoOn, "BOOST_CHECK_CLOSE_FRACTION", a, b, fraction)
#define BOOST_CHECK_SMALL(a, most) HEDDLE_BOOST_GoOn("BOOST_CHECK_SMALL(" #a ")", ::heddle_test::near_to(a, 0, most))
#define BOOST_CHECK_BITWISE_EQUAL(a, b) HEDDLE_BOOST_COMPARE(GoOn, "BOOST_CHECK_BITWISE_EQUAL", Equal, a, b)
#define BOOST_CHECK_EQUAL_COLLECTIONS(a, a_end, b, b_end) \
  HEDDLE_BOOST_COLLECTIONS(GoOn, "BOOST_CHECK_EQUAL_COLLECTIONS", a, a_end, b, b_end)
#define BOOST_CHECK_PREDICATE(predicate, values) \
  HEDDLE_BOOST_BOOL(GoOn, "BOOST_CHECK_PREDICATE", HEDDLE_BOOST_CALL(predicate, values))
#define BOOST_CHECK_THROW(statement, type) HEDDLE_BOOST_THROW(GoOn, "BOOST_CHECK_THROW", statement, type, true)
#define BOOST_CHECK_EXCEPTION(statement, type, holds) \
  HEDDLE_BOOST_THROW(GoOn, "BOOST_CHECK_EXCEPTION", statement, type, holds(heddle_thrown))
#define BOOST_CHECK_NO_THROW(statement) HEDDLE_BOOST_NO_THROW(GoOn, "BOOST_CHECK_NO_THROW", statement)
#define BOOST_REQUIRE(...) HEDDLE_BOOST_BOOL(Leave, "BOOST_REQUIRE", __VA_ARGS__)
#define BOOST_REQUIRE_MESSAGE(condition, said) \
  HEDDLE_BOOST_SAID(Leave, "BOOST_REQUIRE_MESSAGE(" #condition ")", condition, said)
#define BOOST_REQUIRE_EQUAL(a, b) HEDDLE_BOOST_COMPARE(Leave, "BOOST_REQUIRE_EQUAL", Equal, a, b)
#define BOOST_REQUIRE_NE(a, b) HEDDLE_BOOST_COMPARE(Leave, "BOOST_REQUIRE_NE", NotEqual, a, b)
#define BOOST_REQUIRE_LT(a, b) HEDDLE_BOOST_COMPARE(Leave, "BOOST_REQUIRE_LT", Less, a, b)
#define BOOST_REQUIRE_LE(a, b) HEDDLE_BOOST_COMPARE(Leave, "BOOST_REQUIRE_LE", LessEqual, a, b)
#define BOOST_REQUIRE_GT(a, b) HEDDLE_BOOST_COMPARE(Leave, "BOOST_REQUIRE_GT", Greater, a, b)
#define BOOST_REQUIRE_GE(a, b) HEDDLE_BOOST_COMPARE(Leave, "BOOST_REQUIRE_GE", GreaterEqual, a, b)
#define BOOST_REQUIRE_CLOSE(a, b, percent) HEDDLE_BOOST_CLOSE(Leave, "BOOST_REQUIRE_CLOSE", a, b, (percent) / 100.)
#define BOOST_REQUIRE_CLOSE_FRACTION(a, b, fraction) \
  HEDDLE_BOOST_CLOSE(Leave, "BOOST_REQUIRE_CLOSE_FRACTION", a, b, fraction)
#define BOOST_REQUIRE_SMALL(a, most) \
  HEDDLE_BOOST_Leave("BOOST_REQUIRE_SMALL(" #a ")", ::heddle_test::near_to(a, 0, most))
#define BOOST_REQUIRE_BITWISE_EQUAL(a, b) HEDDLE_BOOST_COMPARE(Leave, "BOOST_REQUIRE_BITWISE_EQUAL", Equal, a, b)
#define BOOST_REQUIRE_EQUAL_COLLECTIONS(a, a_end, b, b_end) \
  HEDDLE_BOOST_COLLECTIONS(Leave, "BOOST_REQUIRE_EQUAL_COLLECTIONS", a, a_end, b, b_end)
#define BOOST_REQUIRE_PREDICATE(predicate, values) \
  HEDDLE_BOOST_BOOL(Leave, "BOOST_REQUIRE_PREDICATE", HEDDLE_BOOST_CALL(predicate, values))
#define BOOST_REQUIRE_THROW(statement, type) HEDDLE_BOOST_THROW(Leave, "BOOST_REQUIRE_THROW", statement, type, true)
#define BOOST_REQUIRE_EXCEPTION(statement, type, holds) \
  HEDDLE_BOOST_THROW(Leave, "BOOST_REQUIRE_EXCEPTION", statement, type, holds(heddle_thrown))
#define BOOST_REQUIRE_NO_THROW(statement) HEDDLE_BOOST_NO_THROW(Leave, "BOOST_REQUIRE_NO_THROW", statement)

#define BOOST_ERROR(said) HEDDLE_BOOST_FAIL("BOOST_ERROR", said, GoOn)
#define BOOST_FAIL(said) HEDDLE_BOOST_FAIL("BOOST_FAIL", said, Leave)
#define BOOST_TEST_ERROR(said) HEDDLE_BOOST_FAIL("BOOST_TEST_ERROR", said, GoOn)
#define BOOST_TEST_FAIL(said) HEDDLE_BOOST_FAIL("BOOST_TEST_FAIL", said, Leave)
#define BOOST_IS_DEFINED(name) (__builtin_strcmp(#name, "" HEDDLE_TEXT(name)) != 0)
#define BOOST_TEST_IS_DEFINED(name) BOOST_IS_DEFINED(name)

// Contexts and checkpoints are written at once, messages of the log only if somebody asks for them.
#define BOOST_TEST_INFO(said) static_cast<void>(::heddle_test::written(::heddle_test::Message() << said))
#define BOOST_TEST_INFO_SCOPE(said) BOOST_TEST_INFO(said)
#define BOOST_TEST_CHECKPOINT(said) BOOST_TEST_INFO(said)
#define BOOST_TEST_CONTEXT(...) if (::heddle_test::written((::heddle_test::Message() << __VA_ARGS__)))
#define BOOST_TEST_MESSAGE(said) static_cast<void>(::heddle_boost::Unread() << said)
#define BOOST_TEST_PASSPOINT() static_cast<void>(0)
