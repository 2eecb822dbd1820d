// What a call may have changed, per call: variables it was lent, not those of other calls; what it wrote before an
// exception only where that is caught.
#include <algorithm>
#include <array>
#include <set>

#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

Impact impact_of(const std::string& text, const Replacements& replacements, const std::vector<std::string>& flags) {
  const auto facts = [&](const std::string& version) {
    return analysis::analyse(program::Program::link({test::compile_text(version, "/heddle-test/test.cc", flags)}));
  };
  const auto before = facts(text), after = facts(replace(text, replacements));
  return compare(before, after);
}

bool names(const Impact& impact, const std::string& what) {
  return std::any_of(impact.fragments.begin(), impact.fragments.end(),
                     [&](const Fragment& fragment) { return fragment.description.find(what) != std::string::npos; });
}

const std::string kThreads = R"(
extern "C" void* one(void* p) { first(); return p; }
extern "C" void* two(void* p) { second(); return p; }
int main() { pthread_t t[2]; pthread_create(&t[0], 0, one, 0); pthread_create(&t[1], 0, two, 0);
  pthread_join(t[0], 0); pthread_join(t[1], 0); }
)";

// Signals are no semaphores to who reads it, and operator new is `new`.
TEST(Calls, AreToldAsTheyAreWritten) {
  const std::string text = R"(#include <pthread.h>
#include <signal.h>
static sigset_t signals;
static int* shared;
static void first() { int n; sigwait(&signals, &n); if (shared) ++*shared; }
static void second() { shared = new int(1); }
)" + kThreads;
  const Impact impact =
      impact_of(text, {{"sigwait(&signals, &n);", ""}, {"shared = new int(1);", "shared = new int(1); *shared = 2;"}},
                {"-std=c++17"});
  EXPECT_TRUE(names(impact, "wait for a signal"));
  EXPECT_FALSE(names(impact, "semaphore"));
  EXPECT_TRUE(names(impact, "write of memory allocated at test.cc:6"));
  EXPECT_FALSE(names(impact, "_Znwm"));
}

// Nor does a program say how the compiler initialises a static local once, or where the C library keeps errno.
TEST(Calls, WhatTheCompilerAddsIsToldAsTheProgramSaysIt) {
  const std::string text = R"(#include <errno.h>
#include <pthread.h>
static int shared, count;
static int next() { return ++count; }
struct Pool { int use(); static int of(int n); };
int Pool::use() { return 1; }
template <typename T> int kept(T t) { return shared + t; }
static void first() { Pool p; shared = p.use() + kept(1); }
static void second() { Pool p; shared = p.use() + kept(2); if (shared > 1) count = 3; }
)" + kThreads;
  for (const auto& [from, to, what] : std::vector<std::array<std::string, 3>>{
           {"{ Pool p; shared = p.use() + kept(1)", "{ static int x = next(); Pool p; shared = x", "static local x"},
           {"{ return 1; }", "{ static int of_pool = next(); return of_pool; }", "static local of_pool"},
           {"{ return shared + t; }", "{ static T made = next(); return made + t; }", "static local made"},
           {"count = 3", "count = errno", "use of errno"}}) {
    const Impact impact = impact_of(text, {{from, to}}, {"-std=c++17"});
    std::string all;
    for (const Fragment& fragment : impact.fragments) all += fragment.description + "; ";
    EXPECT_TRUE(names(impact, what)) << what << " in " << all;
    for (const char* own : {"_ZGV", "__cxa_guard", "__errno", "initialisation of '"})
      EXPECT_FALSE(names(impact, own)) << all;
  }
}

// As findings name them: by type, field and who asked, also through a wrapper of malloc.
TEST(Calls, NameBlocksByTypeFieldAndPlace) {
  const std::string text = R"(#include <pthread.h>
#include <stdlib.h>
typedef struct { int fd, len; } conn;
static void* get(size_t size) { void* p = malloc(size); if (!p) abort(); return p; }
static conn* shared;
static conn* pool;
static int* numbers;
static void first() { shared->len++; pool[1].fd++; numbers[1]++; }
static void second() { shared->fd++; shared->len++; pool[1].fd++; pool[1].len++; numbers[1]++; }
static void make() {
  shared = (conn*)get(sizeof *shared);
  pool = (conn*)calloc(4, sizeof *pool);
  numbers = (int*)malloc(16);
}
)" + kThreads;
  const Impact impact =
      impact_of(text + "__attribute__((constructor)) static void begins() { make(); }\n",
                {{"shared->len++; pool[1].fd++; numbers[1]++;", "shared->len += 2; pool[1].fd += 2; numbers[1] += 2;"}},
                {"-std=c++17"});
  std::string all;
  for (const Fragment& fragment : impact.fragments) all += fragment.description + "; ";
  for (const char* name :
       {"conn.len allocated at test.cc:11", "conn allocated at test.cc:12", "memory allocated at test.cc:13"})
    EXPECT_TRUE(names(impact, name)) << name << " in " << all;
  EXPECT_FALSE(names(impact, "@"));
}

// An edit elsewhere affects them; their own text did not change.
TEST(Calls, WhatNobodyTouchedIsNotCalledChanged) {
  const std::string text = R"(#include <pthread.h>
#include <stdlib.h>
#include <vector>
static int x;
static int limit() { return 3; }
static int of(int n) { auto more = [](int k) { return k + 1; }; return more(n); }
static void first() { std::vector<int> v(limit()); x = static_cast<int>(v.size()); }
static void second() { x = atoi("1") + of(limit()); }
)" + kThreads;
  for (const auto& [from, to] :
       Replacements{{"return 3;", "return 4;"},
                    {"auto more", "auto less = [](int k) { return k - 1; }; n = less(n); auto more"}}) {
    const Impact impact = impact_of(text, {{from, to}}, {"-std=c++17"});
    EXPECT_TRUE(names(impact, "affected: "));
    for (const Fragment& fragment : impact.fragments) {
      const bool library = fragment.description.find("vector") != std::string::npos ||
                           fragment.description.find("atoi") != std::string::npos;
      EXPECT_FALSE(library && fragment.description.starts_with("changed: ")) << from << ": " << fragment.description;
    }
  }
}

// The compiler counts lambdas: one more in front gives the others new numbers, and no new text.
TEST(Calls, ALambdaBehindANewOneHasNotChanged) {
  const std::string text = R"(#include <pthread.h>
static int x;
static int sum(int s) {
  auto twice = [](int n) { return n * 2; };
  auto both = [&](int n) { return twice(n) + s; };
  return both(s);
}
inline int shown(int s) {
  auto thrice = [](int n) { return n * 3; };
  return thrice(s);
}
static void first() { x = 1; }
static void second() { sum(2); shown(3); }
)" + kThreads;
  for (const auto& [from, to] :
       Replacements{{"auto twice", "auto less = [](int n) { return n - 1; }; s = less(s); auto twice"},
                    {"auto both", "auto same = [](int n) { return n; }; s = same(s); auto both"},
                    {"auto thrice", "auto same = [](int n) { return n; }; s = same(s); auto thrice"}}) {
    const Impact impact = impact_of(text, {{from, to}}, {"-std=c++17"});
    const auto old = [](const std::string& note) { return note.find("::(anonymous class)::") != note.npos; };
    EXPECT_LE(std::count_if(impact.unchanged.begin(), impact.unchanged.end(), old), 1) << from << ": the new one alone";
  }
}

// One guard's construction says nothing of the others', although all run the same constructor.
TEST(Calls, ADroppedGuardChangesNoOther) {
  const std::string text = R"(#include <mutex>
#include <pthread.h>
static std::mutex m, n;
static int x, y;
static void first() { std::lock_guard<std::mutex> guard(m); ++x; }
static void second() { { std::lock_guard<std::mutex> guard(m); ++x; } std::lock_guard<std::mutex> guard(n); ++y; }
)" + kThreads;
  const Impact impact =
      impact_of(text, {{"first() { std::lock_guard<std::mutex> guard(m);", "first() {"}}, {"-std=c++17"});
  ASSERT_FALSE(impact.fragments.empty());
  for (const Fragment& fragment : impact.fragments)
    EXPECT_EQ(fragment.kind, ChangeKind::Deleted) << fragment.description;
}

const std::string kThrows = R"(#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static thread_local int text;
static void fail() { text = 1; throw 1; }
static void check(int a) { if (a > 3) fail(); }
static void second() { int b = 1; check(b); pthread_mutex_lock(&m); ++x; pthread_mutex_unlock(&m); }
)";

TEST(Calls, WhatIsWrittenBeforeAThrowIsNotSeenBehindTheCall) {
  const std::string text = kThrows + R"(
static void first() { int a = 1; x = text; }
)" + kThreads;
  const Impact impact = impact_of(text, {{"int a = 1;", "int a = 1; check(a);"}}, {"-std=c++17"});
  EXPECT_TRUE(names(impact, "inserted: call of check"));
  EXPECT_FALSE(names(impact, "write of x"));
}

TEST(Calls, WhatIsWrittenBeforeAThrowIsSeenWhereItIsCaught) {
  const std::string text = kThrows + R"(
static void first() { int a = 1; try { } catch (...) { } x = text; }
)" + kThreads;
  const Impact impact = impact_of(text, {{"try { }", "try { check(a); }"}}, {"-std=c++17"});
  EXPECT_TRUE(names(impact, "write of x"));
}

// Two variables of one kind that are lent to others anyway: a call changes the one that it is lent itself, also through
// a function below it.
TEST(Calls, WhatACallIsLentItMayChange) {
  const std::string text = R"(#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static thread_local int seen;
static void look(const int* p) { seen = *p; }
static void set(int* p) { *p = 3; }
static void pass(int* p) { set(p); }
static void first() { int a = 1; look(&a); x = a; }
static void second() { int b = 1; pass(&b); pthread_mutex_lock(&m); x = b; pthread_mutex_unlock(&m); }
)" + kThreads;
  for (const char* call : {"set(&a)", "pass(&a)"}) {
    const Impact impact = impact_of(text, {{"x = a;", std::string(call) + "; x = a;"}}, {"-std=c++17"});
    EXPECT_TRUE(names(impact, "write of x")) << call;
    EXPECT_EQ(impact.fragments.size(), 1u) << call;  // second's is another variable
  }
}

TEST(Calls, WhatAThreadIsGivenChangesWhatItDoes) {
  const std::string text = R"(
int x;
void *one(void *p) { x = (int)(long)p; return 0; }
void *two(void *p) { x++; return p; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, one, (void *)1); pthread_create(&t, 0, two, 0);
  pthread_join(s, 0); pthread_join(t, 0); })";
  const TwoVersions e = edit(text, {{"(void *)1", "(void *)2"}});
  EXPECT_TRUE(names(e.impact, "write of x")) << e.text;
}

// Types without a name, several in one file: they are told apart by what they are the type of.
TEST(Calls, TypesOfOneNameAreNoChange) {
  const std::string text = R"(#include <pthread.h>
static struct { int a; } small;
static struct { int a, b; } large;
static void first() { large.b = 1; }
static void second() { large.b = 2; small.a = 1; }
)" + kThreads;
  EXPECT_TRUE(impact_of(text, {{"small.a = 1;", "/* told */ small.a = 1;"}}, {"-std=c++17"}).nothing());
  const Impact grown = impact_of(text, {{"int a; } small", "int a, more; } small"}}, {"-std=c++17"});
  ASSERT_EQ(grown.widened.size(), 1u);
  EXPECT_TRUE(grown.widened[0].starts_with("the layout of 'struct (unnamed)' changed")) << grown.widened[0];
}

// An atomic variable that one thread alone uses is no interaction; what a call does to it counts all the same.
TEST(Calls, WhatIsWrittenToAnAtomicThatIsNotSharedCounts) {
  const TwoVersions e = edit(R"(
_Atomic int x;
void count(void) { x++; }
void *other(void *p) { return p; }
int main(void) { pthread_t t; /* here */ assert(x < 1); pthread_create(&t, 0, other, 0); pthread_join(t, 0); return 0; })",
                             {{"/* here */", "count();"}});
  EXPECT_FALSE(e.impact.fragments.empty()) << e.text;
}

// The helper has no statement of its own through which threads affect each other; what it calls was run before.
TEST(Calls, HelpersThatNobodyRanAddWhatTheyCall) {
  const TwoVersions e = edit(R"(
_Atomic int x;
void count(void) { x++; }
void twice(void) { count(); count(); }
void both(void) { twice(); }
void *other(void *p) { count(); return p; }
void *edited(void *p) { /* here */ x++; return p; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, other, 0); pthread_create(&u, 0, edited, 0);
  pthread_join(t, 0); pthread_join(u, 0); return 0;
})",
                             {{"/* here */", "both();"}});
  std::set<std::string> functions;
  for (const Fragment& fragment : e.impact.fragments)
    functions.insert(e.after->program->function(fragment.function).display_name);
  EXPECT_EQ(functions, std::set<std::string>{"twice"}) << e.text;
  EXPECT_EQ(e.impact.seeds.size(), 1u) << e.text;
}

}  // namespace
}  // namespace heddle::edit
