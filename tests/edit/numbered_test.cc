// What the compiler numbers (lambdas, classes without a name, statics of blocks) keeps its counterpart when one more
// stands in front of it: the new one alone is new, and what changed is found where it stands.
#include <set>

#include "server/edit/numbered_name.h"
#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

const std::string kStart = R"(#include <pthread.h>
static int x, y, z;
static pthread_mutex_t m;
template <class F> void* enter(void* f) { (*static_cast<F*>(f))(); return nullptr; }
template <class F> struct Thread {
  pthread_t id;
  F f;
  explicit Thread(F g) : f(g) { pthread_create(&id, nullptr, enter<F>, &f); }
  ~Thread() { pthread_join(id, nullptr); }
};
struct Guard { Guard() { pthread_mutex_lock(&m); } ~Guard() { pthread_mutex_unlock(&m); } };
)";

// Lambdas as threads; in lambdas, generic, in a header's function, behind a namespace without a name.
const std::string kLambdas = kStart + R"(
namespace {
void deposit(int n) {
  auto more = [&] { Guard g; x += n; };
  auto less = [&](auto k) { Guard g; x -= k; };
  more(); less(n); }
}
inline void shown(int n) {
  auto add = [&] { Guard g; y += n; };
  auto twice = [&] { Guard g; y *= 2; add(); };
  twice(); }
int main() {
  Thread a([] { Guard g; ++y; });
  Thread b([] { Guard g; z += y; auto own = [] { ++z; }; own(); auto other = [] { --z; }; other(); });
  Thread c([] { deposit(1); shown(2); });
  Thread d([] { deposit(2); shown(3); });
}
)";

// Classes without a name, and variables of blocks.
const std::string kOthers = kStart + R"(
static void count() {
  { static int n; Guard g; n += 2; }
  { static int n; Guard g; n += 4; }
}
static void work() {
  struct { void add() { Guard g; x += 1; } } first; first.add();
  struct { void add() { Guard g; y += 2; } } second; second.add();
  count(); }
int main() {
  Thread a([] { work(); });
  Thread b([] { work(); });
}
)";

struct Row {
  const char* name;
  const std::string& program;
  Replacements edit;
  std::set<std::string> changed;  // what begins on the line of a function with a fragment
};

// The one that the line begins with; else the line.
std::string line_of(const std::string& text, uint32_t line, const std::set<std::string>& known) {
  size_t at = 0;
  for (uint32_t n = 1; n < line; ++n) at = text.find('\n', at) + 1;
  at = text.find_first_not_of(' ', at);
  const std::string found = text.substr(at, text.find('\n', at) - at);
  for (const std::string& begin : known)
    if (found.starts_with(begin)) return begin;
  return found;
}

class Numbered : public testing::TestWithParam<Row> {};

TEST_P(Numbered, OnlyWhatChangedIsChanged) {
  const Row& row = GetParam();
  const auto facts = [](const std::string& text) {
    return analysis::analyse(
        program::Program::link({test::compile_text(text, "/heddle-test/test.cc", {"-std=c++17"})}));
  };
  const std::string text = replace(row.program, row.edit);
  const auto before = facts(row.program), after = facts(text);
  const Impact impact = compare(before, after);
  std::set<std::string> changed;
  for (const Fragment& fragment : impact.fragments) {
    const program::Program& program = *after->program;
    const program::Function& function = program.function(fragment.function);
    const program::Place place = program.unit(program.unit_of(fragment.function)).place(function.place);
    changed.insert(line_of(text, place.line, row.changed));
  }
  EXPECT_EQ(changed, row.changed) << print(*after, impact);
}

INSTANTIATE_TEST_SUITE_P(
    Edit, Numbered,
    testing::Values(
        Row{"LambdaInFront",
            kLambdas,
            {{"  auto more", "  auto none = [&] { Guard g; x = n; };\n  none();\n  auto more"}},
            {"void deposit", "auto none = [&] "}},
        Row{"GenericInFront",
            kLambdas,
            {{"  auto less", "  auto none = [&](auto k) { Guard g; x = k; };\n  none(3);\n  auto less"}},
            {"void deposit", "auto none = [&]"}},
        Row{"HeaderInFront",
            kLambdas,
            {{"  auto add", "  auto none = [&] { Guard g; y = n; };\n  none();\n  auto add"}},
            {"inline void shown", "auto none = [&] "}},
        Row{"HeaderGone",
            kLambdas,
            {{"  auto add = [&] { Guard g; y += n; };\n", ""}, {"add(); };", "};"}},
            {"auto twice = [&] ", "inline void shown"}},
        Row{"NestedInFront", kLambdas, {{"auto own", "auto none = [] { x = 3; }; none(); auto own"}}, {"Thread b"}},
        Row{"EditedBehindANewOne",
            kLambdas,
            {{"  auto more", "  auto none = [&] { Guard g; x = n; };\n  none();\n  auto more"},
             {"{ Guard g; x += n; }", "{ x += n; }"}},
            {"void deposit", "auto none = [&] ", "auto more = [&] "}},
        Row{"Swapped",
            kLambdas,
            {{"Guard g; ++y;", "@"}, {"Guard g; z += y;", "Guard g; ++y;"}, {"@", "Guard g; z += y;"}},
            {"Thread a", "Thread b"}},
        Row{"OthersText",
            kLambdas,
            {{"  auto add = [&] { Guard g; y += n; };\n", "  auto add = [&] { y += n; };\n"}},
            {"auto add = [&] "}},
        Row{"ClassInFront",
            kOthers,
            {{"  struct { void add() { Guard g; x",
              "  struct { void add() { Guard g; z = 1; } } none;\n  none.add();\n  struct { void add() { Guard g; x"}},
            {"static void work", "struct { void add() { Guard g; z = 1;"}},
        Row{"VariableInFront",
            kOthers,
            {{"  { static int n; Guard g; n += 2; }",
              "  { static int n; Guard g; n = 1; }\n  { static int n; Guard g; n += 2; }"}},
            {"static void count"}}),
    [](const testing::TestParamInfo<Row>& info) { return info.param.name; });

}  // namespace
}  // namespace heddle::edit
