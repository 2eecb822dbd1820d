// What a changed function does through a library is told of that function alone.
#include <algorithm>
#include <set>

#include "server/edit/clones.h"
#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

analysis::FactsPtr facts_of(const std::string& text) {
  return analysis::analyse(program::Program::link({test::compile_text(text, "/heddle-test/test.cc", {"-std=c++17"})}));
}

// Functions of the new version that have a fragment.
std::set<std::string> touched(const std::string& text, const Replacements& replacements) {
  const auto before = facts_of(text), after = facts_of(replace(text, replacements));
  std::set<std::string> result;
  for (const Fragment& fragment : compare(before, after).fragments)
    result.insert(after->program->function(fragment.function).display_name);
  return result;
}

using Functions = std::set<std::string>;

const std::string kBegin = R"(#include <mutex>
#include <pthread.h>
#include <vector>
static std::mutex m;
static std::vector<int> a, b, c;
static std::vector<int>* p = &a;
static int x, y;
)";
const std::string kThreads = R"(
extern "C" void* one(void* q) { first(); return q; }
extern "C" void* two(void* q) { second(); return q; }
int main() { pthread_t t[2]; pthread_create(&t[0], 0, one, 0); pthread_create(&t[1], 0, two, 0);
  pthread_join(t[0], 0); pthread_join(t[1], 0); }
)";

TEST(Clones, ALibraryFunctionThatReachesMoreForOneCallerIsNotChangedForOthers) {
  const std::string text = kBegin + R"(
static void first() { std::lock_guard<std::mutex> g(m); c.clear(); x = a.size(); }
static void second() { std::lock_guard<std::mutex> g(m); y = b.size(); c.clear(); b.clear(); a.clear(); }
)" + kThreads;
  EXPECT_EQ(touched(text, {{"x = a.size();", "x = a.size() + c.size();"}}), Functions{"first"});
}

TEST(Clones, ALockThatIsHeldNoLongerSaysNothingOfOtherLocks) {
  const std::string text = kBegin + R"(
static void first() { std::unique_lock<std::mutex> g(m); ++x; }
static void second() { std::unique_lock<std::mutex> h(m); ++x; h.unlock(); }
)" + kThreads;
  EXPECT_EQ(touched(text, {{"++x; }\nstatic", "++x; g.unlock(); }\nstatic"}}), Functions{"first"});
}

TEST(Clones, WhatComesToOthersThroughMemoryIsChangedForThem) {
  const std::string text = kBegin + R"(
static void first() { std::lock_guard<std::mutex> g(m); p = &a; x = p->size(); b.clear(); a.clear(); }
static void second() { std::lock_guard<std::mutex> g(m); y = p->size(); a.clear(); b.clear(); }
)" + kThreads;
  EXPECT_EQ(touched(text, {{"p = &a; x", "p = &b; x"}}), (Functions{"first", "second"}));
}

// Facts with clones are facts of the same program: translated back they are among those without.
TEST(Clones, FindNothingThatIsNotThereWithout) {
  const std::string text = kBegin + R"(
static void first() { std::unique_lock<std::mutex> g(m); a.push_back(1); x = a.size(); }
static void second() { std::unique_lock<std::mutex> h(m); b.push_back(*a.data()); a = b; }
)" + kThreads;
  const auto before = facts_of(text), after = facts_of(replace(text, {{"x = a.size()", "x = c.size()"}}));
  const auto cloned = clone_for_changed(before, after, whole_functions(after, Summaries(*after)));
  ASSERT_TRUE(cloned);
  EXPECT_GT(cloned->after->program->function_count(), after->program->function_count());
  const WithoutClones back(*cloned->after, *after);
  size_t narrower = 0;
  for (const analysis::Interaction& interaction : cloned->after->interactions) {
    const analysis::Interaction* same = after->interaction(back.address(interaction.at));
    ASSERT_NE(same, nullptr) << describe(*after, back.address(interaction.at));
    const auto objects = back.objects(interaction.objects);
    EXPECT_TRUE(std::includes(same->objects.begin(), same->objects.end(), objects.begin(), objects.end()))
        << describe(*after, same->at);
    narrower += objects.size() < same->objects.size();
  }
  EXPECT_GT(narrower, 0u);
}

}  // namespace
}  // namespace heddle::edit
