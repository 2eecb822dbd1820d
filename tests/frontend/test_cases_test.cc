// Programs of test cases beside a file that registers its cases with the framework's own code.
#include "server/frontend/command/test_cases.h"

#include <gtest/gtest.h>

#include "server/program/select.h"
#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

const char* const kModelled = R"(
extern "C" int pthread_create(unsigned long*, const void*, void* (*)(void*), void*);
int helper();
static void* work(void*) { return nullptr; }
__attribute__((used)) static void modelled() asm("heddle.case:modelled");
static void modelled() { unsigned long t; pthread_create(&t, nullptr, work, nullptr); helper(); }
)";

struct Way {
  const char* registrar;  // part of its link name
  const char* text;
};
// What each framework's macros come to: by a function, by an object, through other functions of the file.
constexpr Way kWays[] = {
    {"23MakeAndRegisterTestInfo",
     R"(namespace testing { namespace internal { int *MakeAndRegisterTestInfo(void (*)()); } }
       struct A_Test { static int *const test_info_; }; int *const A_Test::test_info_ = testing::internal::MakeAndRegisterTestInfo(own);)"},
    {"23MakeAndRegisterTestInfo",
     R"(namespace testing { namespace internal { int *MakeAndRegisterTestInfo(void (*)()); } }
       template <typename T> struct All { static bool Register() { return testing::internal::MakeAndRegisterTestInfo(own); } };
       static bool registered = All<int>::Register();)"},
    {"25GetTestSuitePatternHolder",
     R"(namespace testing { struct Registry { template <typename T> T *GetTestSuitePatternHolder(T *); }; Registry &registry(); }
       static int dummy = (testing::registry().GetTestSuitePatternHolder((void (**)())nullptr), 0); static auto *kept = own;)"},
    {"5Catch7AutoReg",
     R"(namespace Catch { struct Invoker; Invoker *makeTestInvoker(void (*)()); struct AutoReg { AutoReg(Invoker *); }; }
       namespace { Catch::AutoReg autoRegistrar1(Catch::makeTestInvoker(own)); })"},
    {"7doctest6detail7regTest",
     R"(namespace doctest { namespace detail { int regTest(void (*)()); } } static int var = doctest::detail::regTest(own);)"},
    {"9ut_detail24auto_test_unit_registrar",
     R"(namespace boost { namespace unit_test { namespace ut_detail { struct auto_test_unit_registrar { auto_test_unit_registrar(void (*)()); }; } } }
       static boost::unit_test::ut_detail::auto_test_unit_registrar registrar(own);)"}};

class TestCasesTest : public ::testing::Test {
 protected:
  // By the program's name.
  std::map<std::string, Target> programs(const Way& way, bool threads) {
    const std::string own =
        std::string(
            "extern \"C\" int pthread_create(unsigned long*, const void*, void* (*)(void*), void*);\n"
            "void touched(); static void own() { touched(); ") +
        (threads ? "unsigned long t; pthread_create(&t, nullptr, nullptr, nullptr); " : "") + "}\n" + way.text +
        "\nint compute(); static int made = compute(); int helper() { return made; }\n";
    Target target;
    target.name = "tests";
    target.units = {unit("/p/modelled.cc", kModelled), unit("/p/own.cc", own)};
    TargetSet set;
    set.targets = {target};
    CaseTargets().replace_programs(set);
    std::map<std::string, Target> out;
    for (Target& one : set.targets) out.emplace(one.name, one);
    return out;
  }
  program::UnitPtr unit(const std::string& path, const std::string& text) {
    const CompileResult result = compiler_.compile(command_for(path, {"-std=c++17"}), {{path, text}});
    for (const Diagnostic& one : result.diagnostics) ADD_FAILURE() << text << one.message;
    return result.unit;
  }
  static bool names(const Target& target, const std::string& part) {
    for (const std::string& name : program::undefined_names(target.units))
      if (name.find(part) != std::string::npos) return true;
    return false;
  }
  Compiler compiler_;
};

TEST_F(TestCasesTest, CasesOfAnotherFileDoNotRegisterWithTheFramework) {
  for (const Way& way : kWays) {
    const auto made = programs(way, false);
    ASSERT_EQ(made.size(), 1u) << way.text;
    const Target& modelled = made.at("tests:modelled");
    EXPECT_FALSE(names(modelled, way.registrar)) << way.text;
    EXPECT_TRUE(names(modelled, "compute")) << "its other static constructors run: " << way.text;
    EXPECT_EQ(modelled.notes,
              std::vector<std::string>{"the test cases of own.cc cannot start a thread and did not run"});
  }
}

TEST_F(TestCasesTest, AFileWithoutAModelIsAProgramOfItsOwn) {
  for (const Way& way : kWays) {
    if (std::string_view(way.registrar).starts_with("25")) continue;  // names its case nowhere
    const auto made = programs(way, true);
    ASSERT_EQ(made.size(), 2u) << way.text;
    EXPECT_FALSE(names(made.at("tests:modelled"), way.registrar)) << way.text;
    EXPECT_FALSE(names(made.at("tests:modelled"), "touched")) << way.text;
    EXPECT_TRUE(names(made.at("tests:own.cc"), way.registrar)) << way.text;
    EXPECT_EQ(made.at("tests:own.cc").program, "tests");
  }
}

// What concerns all cases is not left out: the model does not do it.
TEST_F(TestCasesTest, AnEnvironmentOfTheFrameworkStaysInEveryCase) {
  const auto made = programs(
      {"AddEnvironment",
       "namespace testing { int *AddEnvironment(void (*)()); int *MakeAndRegisterTestInfo(void (*)()); }\n"
       "static int *env = testing::AddEnvironment(own); static int *info = testing::MakeAndRegisterTestInfo(own);"},
      false);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_TRUE(names(made.at("tests:modelled"), "AddEnvironment"));
  EXPECT_FALSE(names(made.at("tests:modelled"), "MakeAndRegisterTestInfo"));
}

}  // namespace
}  // namespace heddle::frontend
