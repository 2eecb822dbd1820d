// One row for each rule of the differ that others hide in whole programs: what it alone says of an edit.
#include <algorithm>
#include <set>

#include "server/edit/clones.h"
#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

bool has(const TwoVersions& e, const std::string& function, const std::string& what) {
  return std::any_of(e.impact.fragments.begin(), e.impact.fragments.end(), [&](const Fragment& fragment) {
    return e.after->program->function(fragment.function).display_name == function &&
           fragment.description.find(what) != std::string::npos;
  });
}

std::set<std::string> names(const analysis::Facts& facts, const std::vector<analysis::ObjectId>& objects) {
  std::set<std::string> result;
  for (const analysis::ObjectId o : objects) result.insert(facts.objects[o.value].name);
  return result;
}

// A worker `w` that two threads run, beside whatever the test says.
std::string two_threads(const std::string& text) {
  return "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x, y;\n" + text + R"(
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0);
  pthread_join(s, 0); pthread_join(t, 0); return 0; })";
}

const std::string kLocked = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";

// --- what no thread ran before ---

TEST(Rules, ADivisionOfAFunctionThatNobodyRan) {
  const TwoVersions e =
      edit(two_threads("static int part(int d) { return 10 / d; }\nvoid *w(void *p) { " + kLocked + " return p; }"),
           {{"return p; }", "part(0); return p; }"}});
  EXPECT_TRUE(has(e, "part", "division")) << e.text;
}

TEST(Rules, AnAccessThroughAPointerOfAFunctionThatNobodyRan) {
  const TwoVersions e = edit(two_threads("static void fill(int *p) { p[3] = 1; }\nvoid *w(void *p) { int own[2]; " +
                                         kLocked + " own[0] = 0; return p; }"),
                             {{"own[0] = 0;", "fill(own);"}});
  EXPECT_TRUE(has(e, "fill", "access")) << e.text;
}

TEST(Rules, ALoopOfAFunctionThatNobodyRan) {
  const TwoVersions e = edit(two_threads("static void turn(int n) { while (n != 3) { if (n > 5) n++; } }\n"
                                         "void *w(void *p) { " +
                                         kLocked + " return p; }"),
                             {{"return p; }", "turn(0); return p; }"}});
  EXPECT_TRUE(has(e, "turn", "loop")) << e.text;
}

// --- what is defined elsewhere, or not at all ---

TEST(Rules, AThreadsFunctionThatIsNoLongerDefined) {
  const std::string program = two_threads("int v;\nvoid *other(void *p) { v = 1; return p; }\nvoid *w(void *p) { " +
                                          kLocked + " pthread_t t; pthread_create(&t, 0, other, 0); return p; }");
  const Replacements away = {{"void *other(void *p) { v = 1; return p; }", "void *other(void *p);"}};
  EXPECT_FALSE(edit(program, away).impact.nothing());
  EXPECT_FALSE(edit(replace(program, away), {{away[0].second, away[0].first}}).impact.nothing());
}

TEST(Rules, ACalledFunctionThatIsNoLongerDefined) {
  const TwoVersions e =
      edit(two_threads("int plain(int n) { return n; }\nvoid *w(void *p) { plain(1); " + kLocked + " return p; }"),
           {{"int plain(int n) { return n; }", "int plain(int n);"}});
  EXPECT_FALSE(e.impact.nothing()) << e.text;
}

TEST(Rules, AFunctionOfATableThatIsNoLongerDefined) {
  const TwoVersions e = edit(two_threads("void nop(void) {}\nstatic void (*const steps[])(void) = {nop};\n"
                                         "void *w(void *p) { steps[0](); " +
                                         kLocked + " return p; }"),
                             {{"void nop(void) {}", "void nop(void);"}});
  EXPECT_FALSE(e.impact.nothing()) << e.text;
}

TEST(Rules, AVariableThatIsNoLongerDefined) {
  const TwoVersions e =
      edit(two_threads("int size = 2;\nvoid *w(void *p) { int own[4]; own[size] = 1; " + kLocked + " return p; }"),
           {{"int size = 2;", "extern int size;"}});
  EXPECT_FALSE(e.impact.nothing()) << e.text;
}

TEST(Rules, AWeakFunctionThatIsDefinedNow) {
  const TwoVersions e =
      edit(two_threads("__attribute__((weak)) void hook(void);\nvoid *w(void *p) { if (hook) hook(); " + kLocked +
                       " return p; }"),
           {{"int x, y;", "int x, y; void hook(void) { y++; }"}});
  EXPECT_FALSE(e.impact.nothing()) << e.text;
}

TEST(Rules, AFunctionThatNobodyNamesIsNoDefinitionFound) {
  const TwoVersions e = edit(two_threads("void *w(void *p) { " + kLocked + " return p; }"),
                             {{"int x, y;", "int x, y; int spare(void) { return 1; }"}});
  EXPECT_TRUE(e.impact.nothing()) << e.text;
}

// --- how far a value gets ---

TEST(Rules, WhatAThreadReturnsReachesTheJoin) {
  const std::string program = R"(
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return (void *)1; }
int main(void) { pthread_t s; void *r; pthread_create(&s, 0, w, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);
  pthread_join(s, &r); assert(r == (void *)1); return 0; })";
  const TwoVersions e = edit(program, {{"return (void *)1", "return (void *)2"}});
  EXPECT_TRUE(has(e, "main", "assertion")) << e.text;
}

TEST(Rules, AVariadicArgumentReachesWhatItDecides) {
  const std::string act = R"(
#include <stdarg.h>
static void act(int n, ...) { va_list list; va_start(list, n); int take = va_arg(list, int); va_end(list);
  if (take) pthread_mutex_lock(&m); x++; if (take) pthread_mutex_unlock(&m); }
void *w(void *p) { act(1, 1); return p; })";
  const TwoVersions e = edit(two_threads(act), {{"act(1, 1)", "act(1, 0)"}});
  EXPECT_TRUE(has(e, "act", "lock of m")) << e.text;
}

TEST(Rules, AComputedFunctionPointerChangesTheCall) {
  const std::string run = R"(
static void more(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
static void less(void) { x--; }
static void run(int n) { void (*f)(void) = n ? more : less; f(); }
void *w(void *p) { run(1); return p; })";
  const TwoVersions e = edit(two_threads(run), {{"run(1)", "run(0)"}});
  EXPECT_TRUE(has(e, "run", "call of")) << e.text;
}

TEST(Rules, AFunctionThatNoLongerReturnsChangesItsCallers) {
  const std::string run =
      "static int f(void) { return 1; }\nvoid *w(void *p) { int k = f(); pthread_mutex_lock(&m); x = k; "
      "pthread_mutex_unlock(&m); return p; }";
  for (const char* end : {"exit(0);", "abort();", "pthread_exit(0);", "for (;;) {}"}) {
    const TwoVersions e = edit(two_threads(run), {{"return 1;", end}});
    EXPECT_TRUE(has(e, "w", "write of x")) << end << e.text;
  }
}

TEST(Rules, AFunctionPointerThatIsPassedChangesTheCall) {
  const std::string run = R"(
static void more(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
static void less(void) { x--; }
static void run(void (*f)(void)) { f(); }
void *w(void *p) { run(more); return p; }
void *v(void *p) { run(less); return p; })";
  const std::string program = two_threads(run + "\nvoid *u(void *p) { return p ? v(p) : w(p); }");
  const TwoVersions e = edit(program, {{"run(more)", "run(less)"}});
  EXPECT_FALSE(e.impact.fragments.empty()) << e.text;
}

TEST(Rules, ALoopThatEndsNoMoreChangesWhatFollowsTheCall) {
  const std::string run = R"(
static void wait_for(int n) { while (n != 3) { if (n > 5) n++; } }
void *w(void *p) { wait_for(3); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; })";
  const TwoVersions e = edit(two_threads(run), {{"wait_for(3)", "wait_for(2)"}});
  EXPECT_TRUE(has(e, "w", "lock of m")) << e.text;
}

TEST(Rules, WhatALibraryWritesThatCallsBackChangesWithItsArguments) {
  const std::string run = R"(
static int order(const void *a, const void *b) { return -1; }
void *w(void *p) { int own[3] = {3, 2, 1}; qsort(own, 3, sizeof own[0], order); pthread_mutex_lock(&m); x = own[0];
  pthread_mutex_unlock(&m); return p; })";
  const TwoVersions e = edit(two_threads(run), {{"qsort(own, 3", "qsort(own, 2"}});
  EXPECT_TRUE(has(e, "w", "write of x")) << e.text;
}

TEST(Rules, WhatALibraryCallWritesChangesWithItsArguments) {
  const std::string run = R"(
void *w(void *p) { char text[8]; snprintf(text, sizeof text, "%d", 1); pthread_mutex_lock(&m); x = text[0];
  pthread_mutex_unlock(&m); return p; })";
  const TwoVersions e = edit(two_threads(run), {{"\"%d\", 1", "\"%d\", 2"}});
  EXPECT_TRUE(has(e, "w", "write of x")) << e.text;
}

// --- errors in private code ---

TEST(Rules, TheLeastNumberCannotBeDividedByMinusOne) {
  const std::string run = "static int f(int v) { volatile int k = v; return k / -1; }\nvoid *w(void *p) { f(1); " +
                          kLocked + " return p; }";
  const TwoVersions e = edit(two_threads(run), {{"f(1)", "f(-2147483647 - 1)"}});
  EXPECT_TRUE(has(e, "f", "division")) << e.text;
}

TEST(Rules, OneByteBehindAVariable) {
  const std::string run =
      "static char own[4];\nvoid *v(void *p) { own[3] = 1; return p; }\nvoid *w(void *p) { " + kLocked + " return p; }";
  std::string program = two_threads(run);
  program = replace(program, {{"pthread_create(&t, 0, w, 0)", "pthread_create(&t, 0, v, 0)"}});
  const TwoVersions e = edit(program, {{"own[3] = 1", "own[4] = 1"}});
  EXPECT_TRUE(has(e, "v", "access")) << e.text;
  EXPECT_TRUE(edit(program, {{"own[3] = 1", "own[2] = 1"}}).impact.fragments.empty());
}

TEST(Rules, ACounterThatIsNotCountedInEveryRound) {
  const std::string run =
      "static void turn(int c) { int n = 0; while (n != 3) { if (c) n++; } }\nvoid *w(void *p) { "
      "turn(1); " +
      kLocked + " return p; }";
  const TwoVersions e = edit(two_threads(run), {{"turn(1)", "turn(0)"}});
  EXPECT_TRUE(has(e, "turn", "loop")) << e.text;
}

// --- what is gone ---

TEST(Rules, ADeletionAtThePlaceOfAnotherIsAboutThreadsToo) {
  const std::string program = two_threads("void *w(void *p) { " + kLocked + " return p; }");
  const TwoVersions e =
      edit(replace(program, {{"pthread_join(s, 0); pthread_join", "pthread_join(s, 0); x = 5; pthread_join"}}),
           {{" x = 5; pthread_join(t, 0);", ""}});
  ASSERT_EQ(e.impact.fragments.size(), 1u) << e.text;
  EXPECT_TRUE(e.impact.fragments[0].about_threads) << e.text;
}

TEST(Rules, AJoinTwoCallsDeepIsAboutThreads) {
  const std::string program = R"(
int x; pthread_t s, t;
void *w(void *p) { x++; return p; }
static void inner(void) { pthread_join(s, 0); }
static void middle(void) { inner(); }
static void outer(void) { middle(); }
int main(void) { pthread_create(&s, 0, w, 0); outer(); x = 1; return 0; })";
  const TwoVersions e = edit(program, {{"outer(); x = 1;", "x = 1;"}});
  ASSERT_FALSE(e.impact.fragments.empty());
  EXPECT_TRUE(std::any_of(e.impact.fragments.begin(), e.impact.fragments.end(), [](const Fragment& fragment) {
    return fragment.kind == ChangeKind::Deleted && fragment.about_threads;
  })) << e.text;
}

TEST(Rules, AChangedLockConcernsTheOldOneToo) {
  const TwoVersions e = edit(two_threads("pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\nvoid *w(void *p) { "
                                         "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }"),
                             {{"pthread_mutex_lock(&m)", "pthread_mutex_lock(&n)"}});
  ASSERT_FALSE(e.impact.fragments.empty());
  const auto objects = names(*e.after, e.impact.fragments[0].objects);
  EXPECT_TRUE(objects.contains("m") && objects.contains("n")) << e.text;
}

TEST(Rules, WhatAFunctionTouchedThatNobodyRunsAnyMoreIsASeed) {
  const std::string program = R"(
sem_t posted; int x;
static void post(void) { sem_post(&posted); }
static void nothing(void) {}
static void (*hook)(void) = post;
void *w(void *p) { hook(); x++; return p; }
void *v(void *p) { sem_wait(&posted); x++; return p; }
int main(void) { pthread_t s, t; sem_init(&posted, 0, 0); pthread_create(&s, 0, w, 0); pthread_create(&t, 0, v, 0);
  pthread_join(s, 0); pthread_join(t, 0); return 0; })";
  const TwoVersions e = edit(program, {{"hook)(void) = post", "hook)(void) = nothing"}});
  EXPECT_TRUE(names(*e.after, e.impact.seeds).contains("posted")) << e.text;
}

// --- what the threads begin with ---

TEST(Rules, AnAtomicStoreBeforeTheThreadsStartIsAnInitialValue) {
  const std::string program = R"(
atomic_int x;
void *w(void *p) { if (atomic_fetch_add(&x, 1) == 2) assert(0); return p; }
int main(void) { pthread_t s; atomic_store(&x, 1); pthread_create(&s, 0, w, 0); pthread_create(&s, 0, w, 0); return 0; })";
  const TwoVersions e = edit(program, {{"atomic_store(&x, 1)", "atomic_store(&x, 3)"}});
  ASSERT_EQ(e.impact.widened.size(), 1u) << e.text;
  EXPECT_TRUE(e.impact.widened[0].starts_with("what 'x' holds when the threads start changed"));
}

TEST(Rules, InAFirstVersionCallsThatLeaveTheProjectAreStatements) {
  const auto facts =
      analysis::analyse(program::Program::link({test::compile_text(R"(#include <pthread.h>
#include <vector>
static std::vector<int> all;
static void add(int n) { all.push_back(n); }
extern "C" void* w(void* p) { add(1); return p; }
int main() { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0);
  pthread_join(t, 0); }
)",
                                                                   "/heddle-test/test.cc", {"-std=c++17"})}));
  std::set<std::string> functions;
  for (const Fragment& fragment : compare(nullptr, facts).fragments)
    functions.insert(facts->program->function(fragment.function).display_name);
  EXPECT_TRUE(functions.contains("add"));
}

// --- relevant objects ---

std::set<std::string> relevant(const TwoVersions& e) {
  const Relevant r = relevant_objects(*e.after, e.impact);
  std::set<std::string> result;
  for (uint32_t o = 0; o < r.objects.size(); ++o)
    if (r.objects[o]) result.insert(e.after->objects[o].name);
  return result;
}

TEST(Rules, AReadLockAroundAUseIsRelevant) {
  const std::string program = R"(
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER; atomic_int x, apart;
void *w(void *p) { pthread_rwlock_rdlock(&lock); atomic_fetch_add(&x, 1); pthread_rwlock_unlock(&lock); return p; }
void *v(void *p) { pthread_rwlock_wrlock(&lock); pthread_rwlock_unlock(&lock); atomic_store(&apart, 1); return p; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&s, 0, w, 0); pthread_create(&t, 0, v, 0);
  return 0; })";
  const TwoVersions e = edit(program, {{"&x, 1", "&x, 2"}});
  EXPECT_TRUE(relevant(e).contains("lock")) << e.text;
}

TEST(Rules, AJoinThatIsGoneOrdersWhatItsThreadTouches) {
  const std::string program = R"(
int x; atomic_int apart;
void *w(void *p) { x = 1; return p; }
void *v(void *p) { atomic_store(&apart, 1); return p; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, v, 0); pthread_join(s, 0); x = 2;
  return 0; })";
  const TwoVersions e = edit(program, {{"pthread_join(s, 0); x = 2;", "x = 2;"}});
  EXPECT_TRUE(names(*e.after, e.impact.seeds).contains("x")) << e.text;
}

TEST(Rules, WhatDecidesThatMainEndsEarlyConcernsEverything) {
  const std::string program = R"(
int gate, apart, far;
void *w(void *p) { gate = 1; return p; }
void *v(void *p) { far = 1; return p; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, v, 0); pthread_create(&t, 0, v, 0);
  if (gate) END; apart = 2; pthread_join(t, 0); out: return 0; })";
  for (const char* end : {"return 1", "exit(1)", "goto out"}) {
    const TwoVersions e = edit(replace(program, {{"END", end}}), {{"gate = 1", "gate = 2"}});
    EXPECT_TRUE(relevant_objects(*e.after, e.impact).everything) << end << e.text;
  }
}

// --- clones: the parts of a structure may be cut otherwise there ---

struct Cut {
  analysis::FactsPtr fine, coarse;
};

Cut cut(const std::string& fine, const std::string& coarse) {
  const auto facts = [](const std::string& access) {
    return facts_of("struct { int a, b, c, d; } g;\nvoid *w(void *p) { int n = p != 0; " + access +
                    R"( return p; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); return 0; })");
  };
  return {facts(fine), facts(coarse)};
}

analysis::ObjectId global_of(const analysis::Facts& facts) {
  for (uint32_t o = 0; o < facts.objects.size(); ++o)
    if (facts.objects[o].name == "g") return analysis::ObjectId(o);
  return {};
}

TEST(Rules, APartOfACloneIsAllPartsThatItOverlaps) {
  const Cut two = cut("g.a = 1; g.b = 2; (void)n;", "*(long *)&g = n; g.c = 1;");
  const analysis::ObjectId fine = global_of(*two.fine), coarse = global_of(*two.coarse);
  ASSERT_TRUE(fine.valid() && coarse.valid());
  ASSERT_EQ(two.fine->sub_objects[fine.value].size(), 2u);
  const WithoutClones back(*two.coarse, *two.fine);
  ASSERT_EQ(two.coarse->sub_objects[coarse.value].size(), 2u);
  const std::vector<analysis::ObjectId> here = back.objects({two.coarse->sub_objects[coarse.value][0].object});
  for (const auto& part : two.fine->sub_objects[fine.value])
    EXPECT_TRUE(std::binary_search(here.begin(), here.end(), part.object)) << two.fine->objects[part.object.value].name;
}

TEST(Rules, AWholeOfACloneHasThePartsThatItHasHere) {
  const Cut two = cut("g.a = 1; g.b = 2; (void)n;", "((int *)&g)[n] = 1;");
  const analysis::ObjectId fine = global_of(*two.fine), coarse = global_of(*two.coarse);
  ASSERT_TRUE(fine.valid() && coarse.valid());
  ASSERT_TRUE(two.coarse->sub_objects[coarse.value].empty());
  ASSERT_EQ(two.fine->sub_objects[fine.value].size(), 2u);
  EXPECT_EQ(WithoutClones(*two.coarse, *two.fine).objects({coarse}).size(), 3u);
}

}  // namespace
}  // namespace heddle::edit
