// The models of test frameworks as headers of the tests of a project: which texts compile with them.
#include <gtest/gtest.h>

#include <algorithm>

#include "server/frontend/command/framework_note.h"
#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

const char* const kFile = "/test/suite.cc";

// Catch2 as far as its version is known by it. It takes more than the model.
const char* const kOwnCatch = "// Catch v2.13.10\n#define TEST_CASE(name) void own_case()\n#define REQUIRE(x) (x)\n";

// Nothing: it does not compile. Else what is said of the framework.
std::optional<std::string> note_of(Compiler& compiler, const std::string& text, const char* standard) {
  const CompileResult result =
      compiler.compile(command_for(kFile, {standard}), {{kFile, text}, {"/test/catch.hpp", kOwnCatch}});
  for (const Diagnostic& one : result.diagnostics)
    if (one.message.starts_with(kFrameworkNote)) return one.message;
  for (const Diagnostic& one : result.diagnostics)
    if (one.severity == Severity::Error) ADD_FAILURE() << one.path << ":" << one.line << ": " << one.message;
  return result.unit ? std::optional<std::string>("") : std::nullopt;
}

// Values whose type converts to that of others, or fits several ways to print one.
const char* const kValues = R"(
#include <any>
#include <filesystem>
#include <optional>
#include <tuple>
namespace { enum Plain { kA }; enum class Scoped : unsigned char { kB }; }
struct Same { friend bool operator==(const Same&, const Same&) { return true; } };
struct Printed : Same {};
std::ostream& operator<<(std::ostream& out, const Printed&) { return out; }
struct Refused : Same {};
std::ostream& operator<<(std::ostream&, const Refused&) = delete;
struct AsText : Same { operator const char*() const { return "x"; } };
struct AsNull : Same { operator std::nullptr_t() const { return nullptr; } };
struct Parts : std::tuple<int, char> {};
struct Two { int first = 1, second = 2; operator int() const { return 3; } };
struct Named : Same { const char* c_str() const { return ""; } unsigned length() const { return 0; } };
struct Nothing : Same { bool has_value() const { return true; } void operator*() const {} };
void function() {}
char buffer[8];
unsigned char bytes[2];
template <typename Check>
void check_all(Check check) {
  char* text = buffer;
  volatile char* watched = buffer;
  check(text), check(buffer), check("text"), check(watched), check(bytes), check(bytes + 1), check(nullptr);
  check(kA), check(Scoped::kB), check(Printed()), check(Refused()), check(AsText()), check(AsNull()), check(Parts());
  check(Two()), check(Named()), check(Nothing()), check(&function), check(std::filesystem::path("a"));
}
)";

TEST(Frameworks, ValuesOfEveryTypeHaveOneWayToBeShown) {
  Compiler compiler;
  const std::string text = kValues;
  EXPECT_EQ(note_of(compiler,
                    "#include <gtest/gtest.h>\n" + text +
                        "TEST(All, Shown) {\n  check_all([](auto&& x) { EXPECT_EQ(x, x) << x; });\n"
                        "  char* end = buffer;\n  EXPECT_NE(end, nullptr);\n  EXPECT_STREQ(end, buffer);\n}\n",
                    "-std=c++17"),
            "");
}

// What a model lacks may be mended, and come back.
TEST(Frameworks, ATextIsTriedWithTheModelsEachTime) {
  Compiler compiler;
  const std::string before = "#include \"catch.hpp\"\nTEST_CASE(\"a\") {\n  ", after = "\n}\n";
  for (int n = 0; n < 2; ++n)
    EXPECT_NE(note_of(compiler, before + "REQUIRE(static_cast<void>(0));" + after, "-std=c++11")
                  .value_or("")
                  .find("compiled as it is"),
              std::string::npos);
  EXPECT_EQ(note_of(compiler, before + after, "-std=c++11"), "");
}

}  // namespace
}  // namespace heddle::frontend
