// Roles of std::thread: one per function that is given, not one per type of pointer.
#include <gtest/gtest.h>

#include <set>

#include "server/analysis/analysis.h"
#include "tests/support/compile_text.h"

namespace heddle::analysis {
namespace {

FactsPtr facts_of(const std::string& text) {
  return analyse(test::program_of_cxx(
      "#include <functional>\n#include <future>\n#include <mutex>\n#include <thread>\n#include <vector>\n" + text));
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
  EXPECT_EQ(roles(*facts), (Names{"main", "add", "take"}));
}

TEST(ThreadStarts, AMemberIsNamedWhenThereIsOne) {
  const FactsPtr facts = facts_of(R"(
    struct Pool { int n = 0; void run() { ++n; } };
    int main() { Pool pool; std::thread a(&Pool::run, &pool), b([&] { ++pool.n; }); a.join(); b.join(); })");
  EXPECT_TRUE(roles(*facts).contains("Pool::run"));
  EXPECT_EQ(facts->roles.size(), 3u);
}

const std::string kResults = R"(
int hits, misses;
void helper() { ++misses; }
int reader() { return ++hits; }
int writer() { helper(); return ++hits; }
)";

TEST(ThreadStarts, AsyncOfFunctionsOfOneType) {
  const FactsPtr facts = facts_of(kResults + R"(int main() {
    auto a = std::async(std::launch::async, reader);
    auto b = std::async(std::launch::async, writer);
    return a.get() + b.get(); })");
  EXPECT_EQ(roles(*facts), (Names{"main", "reader", "writer"}));
  EXPECT_TRUE(runs(*facts, "writer", "helper"));
  EXPECT_FALSE(runs(*facts, "reader", "helper"));
}

// get() runs what was deferred. Whoever says launch::async, here or in the function that calls, defers nothing.
TEST(ThreadStarts, AsyncDefersNothingUnlessToldTo) {
  const auto main_runs_writer = [](const std::string& text) {
    const FactsPtr facts = facts_of(kResults + text);
    return runs(*facts, "main", "writer");
  };
  EXPECT_FALSE(main_runs_writer("int main() { return std::async(std::launch::async, writer).get(); }"));
  EXPECT_TRUE(main_runs_writer("int main() { return std::async(std::launch::deferred, writer).get(); }"));
  EXPECT_TRUE(main_runs_writer("int main() { return std::async(writer).get(); }"));
  EXPECT_TRUE(main_runs_writer(R"(int main(int count, char**) {
    return std::async(count > 1 ? std::launch::async : std::launch::deferred, writer).get(); })"));
  const std::string go = "std::future<int> go(std::launch how) { return std::async(how, writer); }\n";
  EXPECT_FALSE(main_runs_writer(go + "int main() { return go(std::launch::async).get(); }"));
  EXPECT_TRUE(
      main_runs_writer(go + "int main() { return go(std::launch::async).get() + go(std::launch::deferred).get(); }"));
}

TEST(ThreadStarts, AsyncOfLambdasRunsTheirOwn) {
  const FactsPtr facts = facts_of(kResults + R"(int main() {
    auto a = std::async(std::launch::async, [] { return reader(); });
    auto b = std::async(std::launch::async, [] { return writer(); });
    return a.get() + b.get(); })");
  EXPECT_EQ(facts->roles.size(), 3u);
  EXPECT_TRUE(runs(*facts, "writer", "writer"));  // a lambda that only calls a function has its name
  EXPECT_FALSE(runs(*facts, "reader", "writer"));
}

TEST(ThreadStarts, AsyncInALoop) {
  const FactsPtr facts = facts_of(kResults + R"(int main() {
    std::vector<std::future<int>> all;
    for (int k = 0; k < 3; ++k) all.push_back(std::async(std::launch::async, writer));
    all.push_back(std::async(std::launch::async, reader));
    int sum = 0; for (auto& one : all) sum += one.get();
    return sum; })");
  EXPECT_EQ(roles(*facts), (Names{"main", "reader", "writer*"}));
}

TEST(ThreadStarts, AsyncByAPointerThatMayBeEither) {
  const FactsPtr facts = facts_of(kResults + R"(int main(int argc, char**) {
    int (*one)() = argc > 1 ? reader : writer;
    auto a = std::async(std::launch::async, one);
    auto b = std::async(std::launch::async, writer);
    return a.get() + b.get(); })");
  EXPECT_EQ(roles(*facts), (Names{"main", "reader", "writer*"}));
}

TEST(ThreadStarts, AsyncThroughAFunctionOfTheProject) {
  const FactsPtr facts = facts_of(kResults + R"(
    std::future<int> go(int (*f)()) { return std::async(std::launch::async, f); }
    int main() { auto a = go(reader); auto b = go(writer); return a.get() + b.get(); })");
  EXPECT_EQ(roles(*facts), (Names{"main", "reader*", "writer*"}));
}

TEST(ThreadStarts, PackagedTasks) {
  const FactsPtr facts = facts_of(kResults + R"(int main() {
    std::packaged_task<int()> a(reader), b(writer), c([] { return hits; });
    std::thread first(std::move(a)), second(std::move(b)), third(std::move(c));
    first.join(); second.join(); third.join(); })");
  EXPECT_FALSE(runs(*facts, "reader", "helper"));
  EXPECT_TRUE(runs(*facts, "writer", "helper"));
  EXPECT_FALSE(runs(*facts, "lambda at test.cc:12", "helper"));
}

TEST(ThreadStarts, FunctionObjects) {
  const FactsPtr facts = facts_of(kFunctions + R"(int main() {
    std::function<void()> a = reader, b = [] { helper(); };
    std::thread first(a), second(b);
    first.join(); second.join(); })");
  EXPECT_FALSE(runs(*facts, "reader", "helper"));
  EXPECT_TRUE(runs(*facts, "helper", "helper"));
}

TEST(ThreadStarts, MembersOfOneType) {
  const FactsPtr facts = facts_of(R"(
    struct Line { int n = 0, m = 0; void put() { ++n; } void take() { ++m; } };
    int main() { Line line; std::thread a(&Line::put, &line), b(&Line::take, &line); a.join(); b.join(); })");
  EXPECT_EQ(roles(*facts), (Names{"main", "Line::put", "Line::take"}));
}

// What a thread calls later is not what it was given, though the same code of the library calls it.
TEST(ThreadStarts, ACallableCallsAnother) {
  const FactsPtr facts = facts_of(kFunctions + R"(
    std::once_flag once;
    void caller() { std::call_once(once, writer); }
    int main() { std::thread a(caller), b(reader), c(writer); a.join(); b.join(); c.join(); })");
  EXPECT_TRUE(runs(*facts, "caller", "writer"));
  EXPECT_TRUE(runs(*facts, "caller", "helper"));
  EXPECT_FALSE(runs(*facts, "reader", "helper"));
}

TEST(ThreadStarts, ArgumentsThatTheLibraryDestroys) {
  const FactsPtr facts = facts_of(kFunctions + R"(
    #include <memory>
    struct Base { virtual ~Base() {} };
    struct Told : Base { ~Told() override { helper(); } };
    void one(std::unique_ptr<Base>) { ++hits; }
    void other(std::unique_ptr<Base>) { ++hits; }
    int main() { std::thread a(one, std::make_unique<Told>()), b(other, nullptr); a.join(); b.join(); })");
  EXPECT_EQ(roles(*facts), (Names{"main", "one", "other"}));
  EXPECT_TRUE(runs(*facts, "one", "helper"));
}

TEST(ThreadStarts, AThreadThatRunsSeveralIsOneRole) {
  const FactsPtr facts = facts_of(kResults + R"(
    void outer(int) { ++hits; }
    int main() { std::thread a(std::bind(outer, std::bind(writer))); a.join(); })");
  ASSERT_EQ(facts->roles.size(), 2u);
  EXPECT_TRUE(runs(*facts, facts->roles[1].name, "outer"));
  EXPECT_TRUE(runs(*facts, facts->roles[1].name, "helper"));
}

TEST(ThreadStarts, AFunctionThatAnotherThreadLeaves) {
  const FactsPtr facts = facts_of(kFunctions + R"(
    #include <atomic>
    std::atomic<std::function<void()>*> left;
    void leaves() { static std::function<void()> kept; kept = writer; left = &kept; }
    void runs_it() { if (auto* f = left.load()) (*f)(); }
    int main() { std::thread a(leaves), b(runs_it); a.join(); b.join(); })");
  EXPECT_TRUE(runs(*facts, "runs_it", "helper"));
}

TEST(ThreadStarts, AFunctionOnTheStackOfTheMaker) {
  const FactsPtr facts = facts_of(kFunctions + R"(
    int main() {
      std::function<void()> f = writer, g = reader;
      std::thread a([&] { f(); }), b([] { std::function<void()> own = reader; own(); });
      a.join(); b.join(); })");
  EXPECT_TRUE(runs(*facts, "lambda at test.cc:14", "helper"));
  EXPECT_FALSE(runs(*facts, "main", "helper"));
}

}  // namespace
}  // namespace heddle::analysis
