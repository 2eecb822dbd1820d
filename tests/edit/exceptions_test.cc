// Edits of C++: whether an exception is thrown decides what comes after the call, however far out.
#include <set>

#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

analysis::FactsPtr cxx_facts(const std::string& text, const std::string& standard) {
  return analysis::analyse(program::Program::link({test::compile_text(text, "/heddle-test/test.cc", {standard})}));
}

struct CxxEdit {
  analysis::FactsPtr before, after;
  Impact impact;
  std::set<std::string> relevant;
  bool everything = false;
};

CxxEdit cxx_edit(const std::string& text, const Replacements& replacements,
                 const std::string& standard = "-std=gnu++17") {
  CxxEdit result;
  result.before = cxx_facts(text, standard);
  result.after = cxx_facts(replace(text, replacements), standard);
  result.impact = compare(result.before, result.after);
  const Relevant r = relevant_objects(*result.after, result.impact);
  result.everything = r.everything;
  for (uint32_t o = 0; o < r.objects.size(); ++o)
    if (r.objects[o]) result.relevant.insert(result.after->objects[o].name);
  return result;
}

const std::string kThrows = R"(#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, d = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;
static int limit, done, other;
struct Hold { pthread_mutex_t* p; Hold(pthread_mutex_t* q) : p(q) { pthread_mutex_lock(p); } ~Hold() { pthread_mutex_unlock(p); } };
static void inner() { Hold h(&m); if (limit > 3) throw 1; }
static void check() { inner(); }
static void finish() { check(); Hold h(&d); done = 1; }
extern "C" void* one(void* p) { try { finish(); } catch (int) {} return p; }
extern "C" void* two(void* p) { { Hold h(&m); limit = 5; } { Hold h(&d); if (done) ++done; } return p; }
extern "C" void* three(void* p) { Hold h(&o); ++other; return p; }
int main() { pthread_t t[4]; pthread_create(&t[0], 0, one, 0); pthread_create(&t[1], 0, two, 0);
  pthread_create(&t[2], 0, three, 0); pthread_create(&t[3], 0, three, 0);
  for (int k = 0; k < 4; ++k) pthread_join(t[k], 0); }
)";

// No lock, no handler and no destructor on the way: that the call may not come back is all that joins limit to done.
TEST(Exceptions, WhatDecidesTheThrowDecidesWhatComesAfterTheCall) {
  const CxxEdit e = cxx_edit(R"(#include <pthread.h>
static int limit, done, other;
static void inner() { if (limit > 3) throw 1; }
static void check() { inner(); }
static void finish() { check(); done = 1; }
extern "C" void* one(void* p) { try { finish(); } catch (int) {} return p; }
extern "C" void* two(void* p) { limit = 5; if (done) ++done; return p; }
extern "C" void* three(void* p) { ++other; return p; }
int main() { pthread_t t[4]; pthread_create(&t[0], 0, one, 0); pthread_create(&t[1], 0, two, 0);
  pthread_create(&t[2], 0, three, 0); pthread_create(&t[3], 0, three, 0);
  for (int k = 0; k < 4; ++k) pthread_join(t[k], 0); }
)",
                             {{"done = 1", "done = 2"}});
  EXPECT_TRUE(e.relevant.contains("done"));
  EXPECT_TRUE(e.relevant.contains("limit"));
  EXPECT_FALSE(e.relevant.contains("other"));
  EXPECT_FALSE(e.everything);
}

TEST(Exceptions, AChangedConditionOfAThrowChangesWhatComesAfterTheCall) {
  const CxxEdit e = cxx_edit(kThrows, {{"limit > 3", "limit > 4"}});
  EXPECT_TRUE(e.relevant.contains("limit"));
  EXPECT_TRUE(e.relevant.contains("done"));
  EXPECT_FALSE(e.relevant.contains("other"));
}

// No handler of its own, nothing to clean up: only that the call may not come back says that what follows differs.
TEST(Exceptions, AThrowAddedBelowChangesWhatComesAfterTheCall) {
  const CxxEdit e = cxx_edit(R"(#include <pthread.h>
static int done; static thread_local int mine;
static void inner() { if (mine > 3) mine = 0; }
static void check() { inner(); }
static void finish() { check(); done = 1; }
extern "C" void* one(void* p) { try { finish(); } catch (int) {} return p; }
extern "C" void* two(void* p) { if (done) ++done; return p; }
int main() { pthread_t t[2]; pthread_create(&t[0], 0, one, 0); pthread_create(&t[1], 0, two, 0);
  for (int k = 0; k < 2; ++k) pthread_join(t[k], 0); }
)",
                             {{"mine = 0", "throw 1"}});
  EXPECT_TRUE(std::any_of(e.impact.fragments.begin(), e.impact.fragments.end(), [](const Fragment& fragment) {
    return fragment.description.find("write of done") != std::string::npos;
  })) << print(*e.after, e.impact);
  EXPECT_TRUE(e.relevant.contains("done"));
}

TEST(Exceptions, NothingChangesWhenLinesMove) {
  const CxxEdit e = cxx_edit(kThrows, {{"static void check()", "\n// moved\nstatic void check()"}});
  EXPECT_TRUE(e.relevant.empty());
}

TEST(Exceptions, CallsThatCannotThrowHaveNoLandingPad) {
  const std::string quiet = replace(kThrows, {{"if (limit > 3) throw 1;", "if (limit > 3) return;"}});
  const CxxEdit e = cxx_edit(quiet, {{"done = 1", "done = 2"}});
  EXPECT_TRUE(e.relevant.contains("done"));
  EXPECT_FALSE(e.relevant.contains("limit"));
}

// Until C++17 a function may say what leaves it; what else does ends the program.
TEST(Exceptions, WhatASpecificationLetsThroughIsPartOfTheFunction) {
  const std::string text = R"(#include <pthread.h>
static void inner(int n) throw (int) { if (n) throw n; }
extern "C" void* one(void* p) { try { inner(p != nullptr); } catch (int) {} return p; }
int main() { pthread_t t; pthread_create(&t, 0, one, &t); pthread_join(t, 0); }
)";
  const std::string standard = "-std=gnu++14";
  EXPECT_FALSE(cxx_edit(text, {{"throw (int)", "throw (long)"}}, standard).impact.nothing());
  EXPECT_FALSE(cxx_edit(text, {{"throw (int)", "throw (int, long)"}}, standard).impact.nothing());
  EXPECT_FALSE(cxx_edit(text, {{"throw (int)", "throw ()"}}, standard).impact.nothing());
  EXPECT_FALSE(cxx_edit(text, {{" throw (int)", ""}}, standard).impact.nothing());
  EXPECT_TRUE(
      cxx_edit(text, {{"(int n)", "(int m)"}, {"if (n) throw n", "if (m) throw m"}}, standard).impact.nothing());
}

}  // namespace
}  // namespace heddle::edit
