// Which pairs of threads an edit affects, in which order.
#include <algorithm>
#include <set>

#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

std::string thread(const TwoVersions& e, const ThreadName& name) {
  return e.after->roles[name.role.value].name + (name.instance ? "'" : "");
}
std::vector<std::string> pairs(const TwoVersions& e, PairState state) {
  std::vector<std::string> result;
  for (const Pair& pair : e.impact.pairs)
    if (pair.state == state)
      result.push_back(std::to_string(pair.fragment) + " " + thread(e, pair.modified) + " " + thread(e, pair.other));
  return result;
}
std::set<std::string> as_set(const std::vector<std::string>& list) { return {list.begin(), list.end()}; }

// Pairwise, Figure 1: T1 starts two instances of T2; the edit adds print(o.f) to T2; T3 works on other objects.
const std::string kFigure1 = R"(
struct object { int f, g, h; } o, p, r;
int x, w;
int evaluated;
void *t2(void *u) { evaluated = o.g; return u; }
void *t3(void *u) { int y = p.g, z = r.h; w = y + z; return u; }
int main(void) {
  pthread_t t2a, t2b, t;
  pthread_create(&t, 0, t3, 0);
  o.f = x;
  pthread_create(&t2a, 0, t2, 0);
  pthread_create(&t2b, 0, t2, 0);
  pthread_join(t2a, 0); pthread_join(t2b, 0); pthread_join(t, 0);
  return 0;
}
)";

TEST(Pairs, FigureOne) {
  const TwoVersions e = edit(kFigure1, {{"evaluated = o.g;", "evaluated = o.g; printf(\"%d\", o.f);"}});
  ASSERT_EQ(e.impact.fragments.size(), 1u) << e.text;
  EXPECT_EQ(e.impact.fragments[0].description, "inserted: read of o.f");
  ASSERT_EQ(e.impact.modified_roles.size(), 1u);
  std::set<std::string> roles;
  for (const Pair& pair : e.impact.pairs) {
    EXPECT_EQ(e.after->roles[pair.modified.role.value].name, "t2");
    roles.insert(e.after->roles[pair.other.role.value].name);
  }
  EXPECT_EQ(roles, (std::set<std::string>{"main", "t2", "t3"}));  // (T2, T1), (T2, T2), (T2, T3)
  EXPECT_EQ(as_set(pairs(e, PairState::Chosen)),
            (std::set<std::string>{"0 t2 main", "0 t2' main", "0 t2 t2'", "0 t2 t3", "0 t2' t3"}));
  EXPECT_EQ(pairs(e, PairState::Skipped), (std::vector<std::string>{"0 t2' t2"}));
}

// What T3 does commutes with all that the edit can affect; main writes o.f and stays.
TEST(Pairs, AThreadThatTouchesNothingRelevantIsNoPartner) {
  TwoVersions e = edit(kFigure1, {{"evaluated = o.g;", "evaluated = o.g; printf(\"%d\", o.f);"}});
  skip_unrelated(*e.after, relevant_objects(*e.after, e.impact), e.impact);
  EXPECT_EQ(as_set(pairs(e, PairState::Chosen)), (std::set<std::string>{"0 t2 main", "0 t2' main", "0 t2 t2'"}));
  EXPECT_EQ(as_set(pairs(e, PairState::Skipped)), (std::set<std::string>{"0 t2' t2", "0 t2 t3", "0 t2' t3"}));
  EXPECT_EQ(e.impact.pairs.back().state, PairState::Skipped);
}

// A first check of a program with many threads and functions: step 2 looks at everything anyway.
TEST(Pairs, TooManyAreLeftToTheSecondStep) {
  TwoVersions e = edit(kFigure1, {{"evaluated = o.g;", "evaluated = o.g; printf(\"%d\", o.f);"}});
  const Pair one = e.impact.pairs.front();
  ASSERT_EQ(one.state, PairState::Chosen);
  e.impact.pairs.insert(e.impact.pairs.begin(), kPairsMax + 100, one);
  const size_t before = e.impact.pairs.size();
  skip_unrelated(*e.after, relevant_objects(*e.after, e.impact), e.impact);
  EXPECT_EQ(e.impact.pairs.size(), kPairsMax);
  EXPECT_EQ(e.impact.pairs.back().state, PairState::Chosen);
  ASSERT_FALSE(e.impact.widened.empty());
  EXPECT_EQ(e.impact.widened.back(), std::to_string(before) +
                                         " pairs of threads: step 1 looks at the most promising 2000, the others are "
                                         "left to step 2");
}

// Where nobody else touches anything relevant, one pair stays: step 1 runs the changed thread.
TEST(Pairs, OnePairOfAFragmentStays) {
  TwoVersions e = edit(R"(
int x, y;
void *alone(void *p) { x = 1; return p; }
void *other(void *p) { y++; return p; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, alone, 0); pthread_create(&t, 0, other, 0); pthread_create(&t, 0, other, 0); pthread_join(s, 0); return 0; })",
                       {{"x = 1;", "x = 1; assert(x == 2);"}});
  EXPECT_GT(pairs(e, PairState::Chosen).size(), 1u) << e.text;
  skip_unrelated(*e.after, relevant_objects(*e.after, e.impact), e.impact);
  EXPECT_EQ(pairs(e, PairState::Chosen).size(), 1u) << e.text;
}

// A thread that is started or joined elsewhere, or no more, concerns everybody; another statement that is gone does
// not.
TEST(Pairs, EditsOfThreadsKeepThoseWhoTouchNothingRelevant) {
  const std::string program = R"(
int x, y;
void *one(void *p) { x = 1; x = 2; return p; }
void *two(void *p) { x++; return p; }
void *other(void *p) { y++; return p; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, one, 0); pthread_create(&s, 0, two, 0); pthread_create(&t, 0, other, 0); pthread_create(&t, 0, other, 0); pthread_join(s, 0); return 0; })";
  const auto chosen = [&](const char* from, const char* to) {
    TwoVersions e = edit(program, {{from, to}});
    skip_unrelated(*e.after, relevant_objects(*e.after, e.impact), e.impact);
    std::set<std::string> others;
    for (const Pair& pair : e.impact.pairs)
      if (pair.state == PairState::Chosen) others.insert(e.after->roles[pair.other.role.value].name);
    return others;
  };
  EXPECT_FALSE(chosen("x = 2;", "x = 3;").contains("other"));
  EXPECT_FALSE(chosen("x = 2;", "").contains("other"));
  EXPECT_TRUE(chosen("pthread_join(s, 0);", "").contains("other"));
  EXPECT_TRUE(chosen("pthread_create(&s, 0, two, 0);", "pthread_create(&s, 0, two, &x);").contains("other"));
}

TEST(Pairs, RolesOnTheSameObjectsComeFirst) {
  const TwoVersions e = edit(R"(
int x, y;
void *reader(void *p) { if (x) puts("x"); return p; }
void *stranger(void *p) { y++; return p; }
void *writer(void *p) { x = 1; y = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, stranger, 0); pthread_create(&t, 0, reader, 0); pthread_create(&t, 0, writer, 0); pthread_join(t, 0); })",
                             {{"x = 1;", "x = 2;"}});
  const auto chosen = pairs(e, PairState::Chosen);
  ASSERT_EQ(chosen.size(), 3u) << e.text;
  EXPECT_EQ(chosen[0], "0 writer reader");
}

TEST(Pairs, AStatementOfTwoRolesModifiesBoth) {
  const TwoVersions e = edit(R"(
int x;
static void bump(void) { x += 1; }
void *one(void *p) { bump(); return p; }
void *two(void *p) { bump(); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_join(t, 0); })",
                             {{"x += 1", "x += 2"}});
  EXPECT_EQ(as_set(pairs(e, PairState::Chosen)),
            (std::set<std::string>{"0 one main", "0 one two", "0 two main", "0 two one"}))
      << e.text;
}

TEST(Pairs, ANewRoleAloneIsModified) {
  const std::string program = R"(
int x;
static void bump(void) { x += 1; }
void *one(void *p) { bump(); return p; }
void *two(void *p) { bump(); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); /* here */ pthread_join(t, 0); bump(); })";
  const TwoVersions e = edit(program, {{"/* here */", "pthread_create(&t, 0, two, 0);"}});
  bool found = false;
  for (const Pair& pair : e.impact.pairs) {
    const Fragment& fragment = e.impact.fragments[pair.fragment];
    if (e.after->program->function(fragment.function).display_name != "bump") continue;
    EXPECT_EQ(thread(e, pair.modified), "two");
    found = true;
  }
  EXPECT_TRUE(found) << e.text;
}

TEST(Pairs, WithoutAnEarlierVersionEverythingIsNew) {
  const auto facts = facts_of(kFigure1);
  const Impact impact = compare(nullptr, facts);
  EXPECT_TRUE(impact.everything);
  EXPECT_EQ(impact.fragments.size(), 2u);  // t3 shares nothing
  EXPECT_EQ(impact.widened.size(), 1u);
  EXPECT_FALSE(impact.pairs.empty());
  EXPECT_TRUE(compare(facts, facts).nothing());
}

TEST(Pairs, SeveralUnits) {
  auto link = [](const std::string& a, const std::string& b) {
    return analysis::analyse(test::program_of(std::vector<std::string>{a, b}));
  };
  const std::string main_text =
      "#include <pthread.h>\nvoid *worker(void *); int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) "
      "pthread_create(&t[i], 0, worker, 0); }";
  const std::string worker =
      "static int count; static void step(void) { count++; } void *worker(void *p) { step(); return p; }";
  const auto before = link(main_text, worker);
  EXPECT_TRUE(compare(before, link(main_text, "\n" + worker)).nothing());
  const Impact impact = compare(before, link(main_text, replace(worker, {{"count++", "count += 2"}})));
  ASSERT_EQ(impact.fragments.size(), 1u);
  EXPECT_EQ(impact.fragments[0].description, "changed: write of count");
}

TEST(Pairs, TheSameEveryTime) {
  const Replacements edits{{"evaluated = o.g;", "evaluated = o.f + o.g;"}, {"w = y + z", "w = y - z"}};
  EXPECT_EQ(edit(kFigure1, edits).text, edit(kFigure1, edits).text);
}

// What an edit can make fail without anybody else needs one pair.
TEST(Pairs, AFaultOfPrivateValuesNeedsOnePair) {
  TwoVersions e =
      edit(kFigure1,
           {{"void *t3(void *u) {", "int divisor = 3;\nvoid *t3(void *u) { int d = 12 / divisor; printf(\"%d\", d);"},
            {"int main(void) {", "int main(void) {\n  if (x) divisor = 0;"}});
  skip_unrelated(*e.after, relevant_objects(*e.after, e.impact), e.impact);
  bool alone = false;
  for (uint32_t n = 0; n < e.impact.fragments.size(); ++n) {
    if (!e.impact.fragments[n].objects.empty()) continue;
    alone = true;
    EXPECT_EQ(std::count_if(e.impact.pairs.begin(), e.impact.pairs.end(),
                            [&](const Pair& p) { return p.fragment == n && p.state == PairState::Chosen; }),
              1)
        << print(*e.after, e.impact);
  }
  EXPECT_TRUE(alone) << print(*e.after, e.impact);
}

// One more thread changes what statements of the library touch: they belong to the project's calls that run them, and
// to the thread that begins in the library.
TEST(Pairs, WhatLibrariesDoBelongsToTheCallsThatRunIt) {
  const std::string program = R"(
#include <mutex>
#include <thread>
#include <vector>
std::mutex m;
int total;
void put(int n) {
  std::lock_guard<std::mutex> hold(m);
  total += n;
}
void get(int n) {
  std::lock_guard<std::mutex> hold(m);
  total -= n;
}
int main() {
  std::vector<std::thread> threads;
  threads.emplace_back(put, 3);
  threads.emplace_back(get, 1);
  for (auto &t : threads) t.join();
  return total;
}
)";
  const auto before = analysis::analyse(test::program_of_cxx(program));
  const auto after = analysis::analyse(test::program_of_cxx(replace(
      program,
      {{"  threads.emplace_back(get, 1);", "  threads.emplace_back(get, 1);\n  threads.emplace_back(put, 4);"}})));
  const Impact impact = compare(before, after);
  size_t lifted = 0;
  std::set<std::string> libraries;
  for (const Fragment& fragment : impact.fragments) {
    const program::Function& function = after->program->function(fragment.function);
    lifted += fragment.inside.size();
    for (const CodeAddress at : fragment.inside) EXPECT_FALSE(after->program->function(at.function).in_project);
    if (!function.in_project) libraries.insert(function.display_name);
  }
  EXPECT_GT(lifted, 10u);
  EXPECT_EQ(libraries, std::set<std::string>{"std::__invoke_impl"}) << print(*after, impact);
  EXPECT_LE(impact.fragments.size(), 5u) << print(*after, impact);
}

}  // namespace
}  // namespace heddle::edit
