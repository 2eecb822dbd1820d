// Roles of std::thread: one per function that is given, not one per type of pointer.
#include <gtest/gtest.h>

#include <set>

#include "server/analysis/analysis.h"
#include "tests/support/compile_text.h"

namespace heddle::analysis {
namespace {

FactsPtr facts_of(const std::string& text) {
  return analyse(program::Program::link({test::compile_text(
      "#include <thread>\n#include <vector>\n#include <mutex>\n" + text, "/heddle-test/test.cc", {"-std=c++20"})}));
}

std::set<std::string> roles(const Facts& facts) {
  std::set<std::string> names;
  for (const Role& role : facts.roles) names.insert(role.name + (role.multiplicity == Multiplicity::Many ? "*" : ""));
  return names;
}

bool runs(const Facts& facts, const std::string& role, const std::string& function) {
  for (const Role& r : facts.roles)
    for (FunctionId f : r.reachable)
      if (r.name == role && facts.program->function(f).display_name == function) return true;
  return false;
}

using Names = std::set<std::string>;

const std::string kFunctions = R"(
int hits, misses;
void helper() { ++misses; }
void reader() { ++hits; }
void writer() { ++hits; helper(); }
)";

TEST(ThreadStarts, FunctionsOfOneTypeAreRolesOfTheirOwn) {
  const FactsPtr facts = facts_of(kFunctions + "int main() { std::thread a(reader), b(writer); a.join(); b.join(); }");
  EXPECT_EQ(roles(*facts), (Names{"main", "reader", "writer"}));
  EXPECT_TRUE(runs(*facts, "writer", "helper"));
  EXPECT_FALSE(runs(*facts, "reader", "helper"));
  EXPECT_FALSE(runs(*facts, "reader", "writer"));
  Names shared;
  for (const Object& object : facts->objects)
    if (object.shared && object.kind == ObjectKind::Global) shared.insert(object.name);
  EXPECT_EQ(shared, Names{"hits"});  // misses are the writer's alone
}

TEST(ThreadStarts, OneInALoopRunsSeveralTimes) {
  const FactsPtr facts = facts_of(kFunctions + R"(int main() {
    std::vector<std::thread> all;
    for (int k = 0; k < 3; ++k) all.push_back(std::thread(writer));
    std::thread last(reader);
    last.join(); for (auto& t : all) t.join(); })");
  EXPECT_EQ(roles(*facts), (Names{"main", "reader", "writer*"}));
}

TEST(ThreadStarts, WithArgumentsAndThroughTheLibrary) {
  const FactsPtr facts = facts_of(R"(
    int sum; void add(int n) { sum += n; } void take(int n) { sum -= n; }
    int main() { std::vector<std::thread> all; all.emplace_back(add, 1); all.emplace_back(take, 2);
    for (auto& t : all) t.join(); })");
  EXPECT_EQ(roles(*facts), (Names{"main", "add*", "take*"}));  // who hands over what is not followed
}

TEST(ThreadStarts, AMemberIsNamedWhenThereIsOne) {
  const FactsPtr facts = facts_of(R"(
    struct Pool { int n = 0; void run() { ++n; } };
    int main() { Pool pool; std::thread a(&Pool::run, &pool), b([&] { ++pool.n; }); a.join(); b.join(); })");
  EXPECT_TRUE(roles(*facts).contains("Pool::run"));
  EXPECT_EQ(facts->roles.size(), 3u);
}

}  // namespace
}  // namespace heddle::analysis
