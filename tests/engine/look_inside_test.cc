// What `heddle-engine --check` shows of its stages.
#include <array>
#include <cstdio>

#include "server/engine/explorers/look_inside.h"
#include "server/engine/explorers/verify.h"
#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

struct Shown {
  std::string text;
  int exit_code = 0;
};

class LookInside : public ::testing::Test {
 protected:
  Shown look(const std::string& options, const std::string& text = kText, const std::string& name = "a.c") {
    folder_.write(name, text);
    const std::string command = "HEDDLE_CACHE_DIR=" + folder_.file("cache" + std::to_string(runs_++)) +
                                " " HEDDLE_ENGINE " --check " + folder_.file(name) + " " + options + " 2>&1";
    Shown out;
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    std::array<char, 4096> bytes;
    for (size_t n; (n = std::fread(bytes.data(), 1, bytes.size(), pipe)) > 0;) out.text.append(bytes.data(), n);
    out.exit_code = WEXITSTATUS(::pclose(pipe));
    return out;
  }
  static constexpr const char* kText = R"(#include <pthread.h>
static int total;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *p) {
  pthread_mutex_lock(&m);
  total++;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  total = 4;
  pthread_join(t, 0);
  return 0;
}
)";
  ProjectFolder folder_;
  int runs_ = 0;
};

size_t occurrences(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++count;
  return count;
}

TEST_F(LookInside, EachStageHasItsText) {
  struct Case {
    const char *stage, *says;
  };
  for (const Case& one :
       {Case{"unit", "call @pthread_mutex_lock(%1)"}, Case{"facts", "role add one created at main:12:3"},
        Case{"facts", "add:5:3: lock m"}, Case{"points-to", "total"}, Case{"impact", "pair 0 (main, add): "},
        Case{"relevant", "everything"}, Case{"jobs", "explore pairwise (main, add): new: main"},
        Case{"results", "data race on 'total'"}}) {
    const Shown shown = look("--print-after=" + std::string(one.stage));
    EXPECT_EQ(shown.exit_code, 1) << shown.text;
    EXPECT_NE(shown.text.find("after " + std::string(one.stage) + "\n"), std::string::npos) << shown.text;
    EXPECT_NE(shown.text.find(one.says), std::string::npos) << one.says << "\n" << shown.text;
    EXPECT_EQ(shown.text.find("\"verdict\""), std::string::npos) << shown.text;
  }
}

TEST_F(LookInside, StagesComeInTheirOrderAndUnitsCanBeNarrowed) {
  const std::string text = look("--print-after=results,unit,impact --print-only=add").text;
  const size_t unit = text.find("after unit"), impact = text.find("after impact"), results = text.find("after results");
  EXPECT_TRUE(unit < impact && impact < results && results != std::string::npos) << text;
  EXPECT_EQ(occurrences(text, "\nfunction @"), 1u) << text;
}

TEST_F(LookInside, ReductionsGoOffFromTheLastAndFindTheSame) {
  const Shown all = look("--print-after=jobs,results --full");
  EXPECT_EQ(occurrences(all.text, "  off: "), 0u) << all.text;
  for (const char* count : {"4", "3", "2", "1"}) {
    const Shown some = look("--print-after=jobs,results --full --reduction-limit=" + std::string(count));
    EXPECT_NE(some.text.find("state matching\n"), std::string::npos) << some.text;
    EXPECT_EQ(some.text.find("dynamic partial order") != std::string::npos, *count == '1') << some.text;
    EXPECT_NE(some.text.find("data race on 'total'"), std::string::npos) << some.text;
    EXPECT_EQ(some.exit_code, 1) << some.text;
  }
}

TEST_F(LookInside, VerifyingAgreesAndCostsNoEvent) {
  const Shown shown = look("--verify-each --full");
  EXPECT_EQ(shown.text.find("verify:"), std::string::npos) << shown.text;
  EXPECT_NE(shown.text.find("\"verdict\""), std::string::npos) << shown.text;
  EXPECT_EQ(shown.exit_code, 1) << shown.text;
}

// The version before is compiled after this one, in the same process. Functions of C are quick to compile: none is reused.
TEST_F(LookInside, EachCompileSaysWhatItReused) {
  std::string old = kText;
  old.replace(old.find("total = 4"), 9, "total = 5");
  folder_.write("old.cc", old);
  const std::string options = "--base " + folder_.file("old.cc") + " --explain-compile ";
  const Shown all = look(options, kText, "a.cc");
  const size_t first = all.text.find("== compile "), second = all.text.find("== compile ", first + 1);
  ASSERT_NE(second, std::string::npos) << all.text;
  EXPECT_NE(all.text.find("a.cc: preamble\n  not up-to-date: "), std::string::npos) << all.text;
  EXPECT_NE(all.text.find("functions (", second), std::string::npos) << all.text;
  EXPECT_EQ(all.text.find("\"verdict\""), std::string::npos) << all.text;
  EXPECT_EQ(all.exit_code, 1) << all.text;
  const Shown less = look(options + "--without-reuse=functions,preamble,library-headers", kText, "a.cc");
  EXPECT_EQ(less.text.find("functions ("), std::string::npos) << less.text;
  EXPECT_EQ(occurrences(less.text, "a.cc: scratch\n"), 2u) << less.text;
  EXPECT_EQ(occurrences(less.text, "  not preamble: switched off\n"), 2u) << less.text;
}

TEST_F(LookInside, AUnitThatReusedFunctionsIsTheOneFromScratch) {
  std::string old = kText;
  old.replace(old.find("total = 4"), 9, "total = 5");
  folder_.write("old.cc", old);
  const Shown shown = look("--base " + folder_.file("old.cc") + " --explain-compile --verify-each", kText, "a.cc");
  EXPECT_NE(shown.text.find("functions ("), std::string::npos) << shown.text;
  EXPECT_EQ(shown.text.find("verify:"), std::string::npos) << shown.text;
}

TEST_F(LookInside, WrongWordsAreUsage) {
  for (const char* options : {"--print-after=units", "--reduction-limit=some",
                              "--reduction-limit=", "--without-reuse=scratch", "--without-reuse=functions,all",
                              "--print-after=unit,"
                              "nothing"}) {
    const Shown shown = look(options);
    EXPECT_EQ(shown.exit_code, 2) << shown.text;
    EXPECT_NE(shown.text.find("usage: "), std::string::npos) << shown.text;
  }
}

TEST_F(LookInside, WhatIsKnownIsExploredAgain) {
  const std::string first = look("--print-after=results --full").text;
  runs_ = 0;
  EXPECT_EQ(look("--print-after=results --full").text, first);
}

// A verifier that knows of a difference says so.
TEST(Verify, FindingsThatOnlyOneSearchHasAreTold) {
  v1::JobResult reduced, whole;
  reduced.set_completeness(v1::JOB_COMPLETE);
  whole.set_completeness(v1::JOB_COMPLETE);
  whole.add_findings()->set_rule("deadlock");
  EXPECT_EQ(same_findings(reduced, whole), std::vector<std::string>{"a deadlock is found without reductions only"});
  EXPECT_EQ(same_findings(whole, reduced), std::vector<std::string>{"a deadlock is found with reductions only"});
  EXPECT_TRUE(same_findings(whole, whole).empty());
  whole.set_completeness(v1::JOB_TIME_LIMIT);
  EXPECT_TRUE(same_findings(reduced, whole).empty());
}

// Each planted mistake is one that a later stage would trust.
TEST(Verify, FactsThatContradictThemselvesAreProblems) {
  program::Unit unit;
  unit.path = "a.c";
  program::Function& function = unit.functions.emplace_back();
  unit.symbols.push_back({"main", program::SymbolKind::Function});
  function.symbol = program::SymbolId(0);
  function.code.push_back({});
  analysis::Facts facts;
  facts.program = program::Program::link({std::make_shared<const program::Unit>(unit)});
  facts.objects.resize(2);
  facts.roles.push_back(
      {"main", program::FunctionId(0), {}, analysis::Multiplicity::One, {}, {program::FunctionId(0)}});
  facts.roles_of = {{analysis::RoleId(0)}};
  EXPECT_EQ(verify_facts(facts), std::vector<std::string>{});
  analysis::Facts wrong = facts;
  wrong.roles_of = {{}};
  EXPECT_FALSE(verify_facts(wrong).empty());
  wrong = facts;
  wrong.roles[0].reachable.clear();
  EXPECT_FALSE(verify_facts(wrong).empty());
  wrong = facts;
  wrong.interactions.push_back({{program::FunctionId(0), 7}, analysis::InteractionKind::Read, {}, {}});
  EXPECT_FALSE(verify_facts(wrong).empty());
  wrong = facts;
  wrong.interactions.push_back({{program::FunctionId(0), 0},
                                analysis::InteractionKind::Read,
                                {analysis::ObjectId(1), analysis::ObjectId(0)},
                                {}});
  EXPECT_FALSE(verify_facts(wrong).empty());
  wrong = facts;
  wrong.sub_objects = {{{0, 4, analysis::ObjectId(0)}, {2, 8, analysis::ObjectId(1)}}};
  EXPECT_FALSE(verify_facts(wrong).empty());

  edit::Impact impact;
  impact.kinds = {edit::EditKind::LockDropped};
  edit::Relevant relevant;
  relevant.objects.resize(2);
  EXPECT_EQ(verify_impact(facts, impact, relevant), std::vector<std::string>{});
  edit::Impact of_nothing = impact;
  of_nothing.pairs.push_back({});
  EXPECT_FALSE(verify_impact(facts, of_nothing, relevant).empty());
  analysis::Facts touching = facts;
  touching.interactions.push_back(
      {{program::FunctionId(0), 0}, analysis::InteractionKind::Read, {analysis::ObjectId(0)}, {}});
  impact.seeds = {analysis::ObjectId(0)};
  EXPECT_FALSE(verify_impact(touching, impact, relevant).empty());
  relevant.objects[0] = true;
  EXPECT_EQ(verify_impact(touching, impact, relevant), std::vector<std::string>{});
}

TEST(Verify, AUnitWithASlotOutOfItsFrameIsAProblem) {
  program::Unit unit;
  program::Function& function = unit.functions.emplace_back();
  unit.symbols.push_back({"f", program::SymbolKind::Function});
  function.frame_slots = 1;
  function.code.push_back({});
  EXPECT_FALSE(verify_unit(unit).empty());
}

}  // namespace
}  // namespace heddle::engine::test
