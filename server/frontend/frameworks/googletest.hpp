// GoogleTest: each test is a function that runs one fixture. A check that fails ends the path.
#pragma once
#pragma GCC system_header
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iomanip>
#include <iosfwd>
#include <limits>

#include "heddle/checks.hpp"

namespace testing {

using heddle_test::Message;

class AssertionResult {
 public:
  template <typename T, typename = typename std::enable_if<
                            !std::is_same<typename std::decay<T>::type, AssertionResult>::value>::type>
  explicit AssertionResult(const T& value) : holds_(static_cast<bool>(value)) {}
  operator bool() const { return holds_; }
  AssertionResult operator!() const {
    AssertionResult other(*this);
    other.holds_ = !holds_;
    return other;
  }
  template <typename T>
  AssertionResult& operator<<(const T& value) {
    said_ << value;
    return *this;
  }
  AssertionResult& operator<<(std::ostream& (*)(std::ostream&)) { return *this; }
  const char* message() const { return said_.text().data; }
  const char* failure_message() const { return message(); }

 private:
  bool holds_;
  Message said_;
};
inline AssertionResult AssertionSuccess() { return AssertionResult(true); }
inline AssertionResult AssertionFailure() { return AssertionResult(false); }
inline AssertionResult AssertionFailure(const Message& said) { return AssertionResult(false) << said.text().data; }

template <typename T>
std::string PrintToString(const T& value) {
  heddle_test::Text text;
  heddle_test::print(text, value);
  return text.data;
}
inline std::string TempDir() { return "/tmp/"; }

class ScopedTrace {
 public:
  template <typename T>
  ScopedTrace(const char*, int, const T& message) {
    Message() << message;
  }
};

class Test {
 public:
  virtual ~Test() {}
  static void SetUpTestSuite() {}
  static void TearDownTestSuite() {}
  static void SetUpTestCase() {}
  static void TearDownTestCase() {}
  // A failure would have ended the path.
  static bool HasFatalFailure() { return false; }
  static bool HasNonfatalFailure() { return false; }
  static bool HasFailure() { return false; }
  static bool IsSkipped() { return skipped(); }
  template <typename T>
  static void RecordProperty(const std::string&, const T& value) {
    Message() << value;
  }
  void HeddleRun() {
    if (skipped()) return;  // by the constructor
    SetUp();
    if (!skipped()) TestBody();
    TearDown();
  }
  static bool& skipped() {
    static bool one = false;
    return one;
  }

 protected:
  Test() {}
  virtual void SetUp() {}
  virtual void TearDown() {}

 private:
  virtual void TestBody() = 0;
};

class TestInfo {
 public:
  const char* test_suite_name() const { return suite; }
  const char* test_case_name() const { return suite; }
  const char* name() const { return test; }
  const char* suite;
  const char* test;
};
class UnitTest {
 public:
  static UnitTest* GetInstance() {
    static UnitTest one;
    return &one;
  }
  const TestInfo* current_test_info() const { return &info; }
  int random_seed() const { return 0; }
  bool Failed() const { return false; }
  bool Passed() const { return true; }
  TestInfo info;
};

class Environment {
 public:
  virtual ~Environment() {}
  virtual void SetUp() {}
  virtual void TearDown() {}
};

namespace internal {

struct SkipHelper {
  void operator=(const Message&) const { Test::skipped() = true; }
};

// The environments of a program, in the order of their registration. They are set up around the case, because a program
// whose main is the framework's has no call of RUN_ALL_TESTS.
struct Environments {
  Environment* all[16];
  unsigned count;
  static Environments& known() {
    static Environments one;
    return one;
  }
};
class WithEnvironments {
 public:
  WithEnvironments() {
    const Environments& known = Environments::known();
    for (unsigned n = 0; n < known.count; ++n) known.all[n]->SetUp();
  }
  ~WithEnvironments() {
    const Environments& known = Environments::known();
    for (unsigned n = known.count; n-- > 0;) {
      known.all[n]->TearDown();
      delete known.all[n];
    }
  }
};

// What a fixture may have as protected members. Both names are one hook: who has the new one has not the old one.
template <typename Fixture>
struct SuiteOf : Fixture {
  SuiteOf() = delete;
  static void set_up() {
    Fixture::SetUpTestCase();
    Fixture::SetUpTestSuite();
  }
  static void tear_down() {
    Fixture::TearDownTestSuite();
    Fixture::TearDownTestCase();
  }
};
template <typename Fixture>
class WithSuite {
 public:
  WithSuite(const char* suite, const char* name) {
    UnitTest::GetInstance()->info.suite = suite;
    UnitTest::GetInstance()->info.test = name;
    SuiteOf<Fixture>::set_up();
  }
  ~WithSuite() { SuiteOf<Fixture>::tear_down(); }
};

// One run of a test: what another run or the suite skipped is not skipped here.
template <typename Fixture>
void run_test() {
  Test::skipped() = false;
  Fixture test;
  test.HeddleRun();
}
template <typename Fixture>
void run_case(const char* suite, const char* name) {
  const WithEnvironments environments;
  if (Test::skipped()) return;
  const WithSuite<Fixture> around(suite, name);
  run_test<Fixture>();
}
template <typename Suite>
struct Parameters;
template <typename Suite, typename Fixture>
void run_parameters(const char* suite, const char* name) {
  const WithEnvironments environments;
  if (Test::skipped()) return;
  const WithSuite<Fixture> around(suite, name);
  for (const auto& value : Parameters<Suite>::all()) {
    Fixture::parameter() = &value;
    run_test<Fixture>();
  }
}

// The parameters of a suite, of all its instantiations.
template <typename Suite>
struct Parameters {
  typedef typename Suite::ParamType Type;
  static std::vector<Type>& all() {
    static std::vector<Type> one;
    return one;
  }
  template <typename Generator>
  static bool add(const Generator& generator) {
    std::vector<Type> more = generator;
    for (auto& value : more) all().push_back(value);
    return true;
  }
  template <typename Generator, typename Names>
  static bool add(const Generator& generator, const Names&) {
    return add(generator);
  }
};

template <typename... T>
struct Values {
  std::tuple<T...> values;
  template <typename To>
  operator std::vector<To>() const {
    std::vector<To> out;
    add<0>(out, std::integral_constant<bool, sizeof...(T) == 0>());
    return out;
  }
  template <size_t N, typename To>
  void add(std::vector<To>& out, std::false_type) const {
    out.push_back(static_cast<To>(std::get<N>(values)));
    add<N + 1>(out, std::integral_constant<bool, N + 1 == sizeof...(T)>());
  }
  template <size_t N, typename To>
  void add(std::vector<To>&, std::true_type) const {}
};

template <typename... Generators>
struct Combined {
  std::tuple<Generators...> generators;
  template <typename... To>
  operator std::vector<std::tuple<To...>>() const {
    std::vector<std::tuple<To...>> out;
    std::tuple<To...> one;
    fill<0>(one, out, std::integral_constant<bool, sizeof...(To) == 0>());
    return out;
  }
  template <size_t N, typename Tuple>
  void fill(Tuple& one, std::vector<Tuple>& out, std::false_type) const {
    const std::vector<typename std::tuple_element<N, Tuple>::type> values = std::get<N>(generators);
    for (const auto& value : values) {
      std::get<N>(one) = value;
      fill<N + 1>(one, out, std::integral_constant<bool, N + 1 == std::tuple_size<Tuple>::value>());
    }
  }
  template <size_t N, typename Tuple>
  void fill(Tuple& one, std::vector<Tuple>& out, std::true_type) const {
    out.push_back(one);
  }
};

template <typename... T>
struct TypeList {};
// Each type is a suite.
template <template <typename> class Case>
struct ForTypes {
  template <typename... Types>
  static void run(const char* suite, const char* name, TypeList<Types...>) {
    const int each[] = {0, (run_one<Types>(suite, name), 0)...};
    static_cast<void>(each);
  }
  template <typename Type>
  static void run_one(const char* suite, const char* name) {
    const WithSuite<Case<Type>> around(suite, name);
    run_test<Case<Type>>();
  }
};
// The tests of a type-parameterised suite.
template <template <typename> class... Tests>
struct TestList {};
template <template <typename> class... Tests, typename Types>
void run_types(const char* suite, const char* name, TestList<Tests...>, Types types) {
  const WithEnvironments environments;
  if (Test::skipped()) return;
  const int each[] = {0, (ForTypes<Tests>::run(suite, name, types), 0)...};
  static_cast<void>(each);
}

}  // namespace internal

template <typename T>
class WithParamInterface {
 public:
  typedef T ParamType;
  virtual ~WithParamInterface() {}
  static const ParamType& GetParam() { return *parameter(); }
  static const ParamType*& parameter() {
    static const ParamType* one = nullptr;
    return one;
  }
};
template <typename T>
class TestWithParam : public Test, public WithParamInterface<T> {};
template <typename T>
struct TestParamInfo {
  T param;
  size_t index;
};
struct PrintToStringParamName {};

template <typename... T>
internal::Values<T...> Values(T... values) {
  return internal::Values<T...>{std::tuple<T...>(values...)};
}
template <typename Container>
std::vector<typename Container::value_type> ValuesIn(const Container& all) {
  return std::vector<typename Container::value_type>(all.begin(), all.end());
}
template <typename T, size_t N>
std::vector<T> ValuesIn(const T (&all)[N]) {
  return std::vector<T>(all, all + N);
}
template <typename T>
std::vector<T> ValuesIn(std::initializer_list<T> all) {
  return std::vector<T>(all);
}
template <typename Iterator>
std::vector<typename std::iterator_traits<Iterator>::value_type> ValuesIn(Iterator begin, Iterator end) {
  return std::vector<typename std::iterator_traits<Iterator>::value_type>(begin, end);
}
template <typename T, typename Step = T>
std::vector<T> Range(T begin, T end, Step step = Step(1)) {
  std::vector<T> out;
  for (T value = begin; value < end; value = static_cast<T>(value + step)) out.push_back(value);
  return out;
}
inline std::vector<bool> Bool() { return {false, true}; }
template <typename... G>
internal::Combined<G...> Combine(const G&... generators) {
  return internal::Combined<G...>{std::tuple<G...>(generators...)};
}
template <typename... T>
using Types = internal::TypeList<T...>;

inline void InitGoogleTest(int*, char**) {}
inline void InitGoogleTest(int*, wchar_t**) {}
inline void InitGoogleTest() {}
inline Environment* AddGlobalTestEnvironment(Environment* one) {
  internal::Environments& known = internal::Environments::known();
  if (known.count < 16) known.all[known.count++] = one;
  return one;
}
template <typename A, typename B>
bool StaticAssertTypeEq() {
  static_assert(std::is_same<A, B>::value, "the types differ");
  return true;
}

}  // namespace testing

inline int RUN_ALL_TESTS() {
  heddle_run_case();
  return 0;
}

#include "heddle/googletest_more.hpp"
#include "heddle/googletest_macros.hpp"
