// The step `weak`: when it runs, what it says, what the ledger keeps of it. Through a real engine process.
#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

// Both threads store to one variable and read the other's. Under one order of all operations, one of them sees the
// other's store.
std::string store_buffering(const std::string& order, const std::string& more = "") {
  return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
         "static atomic_int x, y;\nstatic int a, b;\n" +
         more +
         "static void *one(void *p) {\n"
         "  atomic_store_explicit(&x, 1, memory_order_" +
         order +
         ");\n"
         "  a = atomic_load_explicit(&y, memory_order_" +
         order +
         ");\n  return p;\n}\n"
         "static void *other(void *p) {\n"
         "  atomic_store_explicit(&y, 1, memory_order_" +
         order +
         ");\n"
         "  b = atomic_load_explicit(&x, memory_order_" +
         order +
         ");\n  return p;\n}\n"
         "int main(void) {\n  pthread_t t, u;\n"
         "  pthread_create(&t, 0, one, 0);\n  pthread_create(&u, 0, other, 0);\n"
         "  pthread_join(t, 0);\n  pthread_join(u, 0);\n  assert(a || b);\n  return 0;\n}\n";
}

std::string without_assertion(std::string text) {
  const std::string words = "assert(a || b);";
  return text.replace(text.find(words), words.size(), "(void)a, (void)b;");
}

class Weak : public ::testing::Test {
 protected:
  Answer save(const std::string& text) {
    folder_.write("a.c", text);
    return engine_->check(folder_.file("a.c"));
  }
  static const v1::Scope& scope(const Answer& answer) { return answer.final_verdict()->scope(); }
  static uint64_t graphs(const Answer& answer) { return answer.final_verdict()->stats().graphs(); }
  static bool assumes_one_order(const Answer& answer) {
    for (const std::string& text : scope(answer).assumptions())
      if (text.find("happen in one order") != text.npos) return true;
    return false;
  }
  static size_t searches(const Answer& answer) {
    size_t count = 0;
    for (const v1::Event& event : answer.events)
      count += event.has_verdict() && event.verdict().scope().weak() == v1::STEP_RUNNING &&
               event.verdict().step() == "step2";
    return count;
  }
  ProjectFolder folder_;
  std::unique_ptr<EngineProcess> engine_ = std::make_unique<EngineProcess>();
};

TEST_F(Weak, FindsWhatNoInterleavingShows) {
  const Answer answer = save(store_buffering("relaxed"));
  ASSERT_EQ(answer.findings().size(), 1u) << answer.text();
  const v1::Finding finding = answer.findings()[0];
  EXPECT_EQ(finding.rule(), "assertion");
  EXPECT_EQ(finding.step(), "weak");
  EXPECT_EQ(finding.message().find("only under RC11: "), 0u) << finding.message();
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_FINDINGS);
  EXPECT_EQ(scope(answer).weak(), v1::STEP_COMPLETE);
  EXPECT_EQ(scope(answer).memory_model(), "rc11");
  EXPECT_EQ(graphs(answer), 4u);
  EXPECT_FALSE(assumes_one_order(answer));
  EXPECT_EQ(searches(answer), 1u) << "the verdict of step 2 comes first";
}

TEST_F(Weak, SequentialConsistencySufficesWhereNoOrderIsWeaker) {
  const Answer answer = save(store_buffering("seq_cst"));
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_CLEAR) << answer.text();
  EXPECT_EQ(scope(answer).weak(), v1::STEP_NOT_NEEDED);
  EXPECT_EQ(scope(answer).memory_model(), "rc11");
  EXPECT_NE(scope(answer).values().find("sequential consistency suffices"), std::string::npos);
  EXPECT_EQ(graphs(answer), 0u);
  EXPECT_EQ(searches(answer), 0u);
}

// What is seq_cst for C++ is release and acquire only under RA.
TEST_F(Weak, TheModelOfTheSettings) {
  for (const auto& [model, kind] : {std::pair("sc", v1::VERDICT_CLEAR), std::pair("tso", v1::VERDICT_CLEAR),
                                    std::pair("ra", v1::VERDICT_FINDINGS)}) {
    folder_.write(".heddle.yaml", std::string("memory-model: ") + model + "\n");
    const Answer answer = save(store_buffering("seq_cst"));
    EXPECT_EQ(answer.final_verdict()->kind(), kind) << model << answer.text();
    EXPECT_EQ(scope(answer).memory_model(), model);
  }
  folder_.write(".heddle.yaml", "memory-model: sc\n");
  const Answer answer = save(store_buffering("relaxed"));
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_CLEAR) << answer.text();
  EXPECT_TRUE(assumes_one_order(answer));
  EXPECT_EQ(scope(answer).weak(), v1::STEP_NOT_NEEDED);
}

TEST_F(Weak, IsKept) {
  const std::string right = without_assertion(store_buffering("relaxed"));
  EXPECT_EQ(graphs(save(right)), 4u);
  const Answer comment = save("// a comment\n" + right);
  EXPECT_EQ(graphs(comment), 0u) << comment.text();
  EXPECT_EQ(scope(comment).memory_model(), "rc11");
  EXPECT_EQ(scope(comment).weak(), v1::STEP_COMPLETE);
  save(store_buffering("relaxed"));
  const Answer undone = save(right);
  EXPECT_EQ(graphs(undone), 0u) << undone.text();
  EXPECT_EQ(undone.final_verdict()->kind(), v1::VERDICT_CLEAR) << undone.text();
  engine_ = std::make_unique<EngineProcess>();
  folder_.write("a.c", right);
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_full(true);
  const Answer full = engine_->check(request);
  EXPECT_EQ(searches(full), 0u) << "it was answered from the ledger" << full.text();
  EXPECT_EQ(scope(full).memory_model(), "rc11");
}

TEST_F(Weak, AFindingIsFixedByAStrongerOrderOnly) {
  save(store_buffering("relaxed"));
  const Answer still = save(store_buffering("relaxed", "static int unused = 3;\n"));
  EXPECT_EQ(still.findings().size(), 1u) << "nothing changed that matters" << still.text();
  std::string stronger = store_buffering("relaxed");
  stronger.replace(stronger.find("relaxed"), 7, "release");
  const Answer edited = save(stronger);
  EXPECT_EQ(edited.findings().size(), 1u) << "release is not enough" << edited.text();
  const Answer mended = save(store_buffering("seq_cst"));
  EXPECT_TRUE(mended.findings().empty()) << mended.text();
  EXPECT_EQ(mended.fixed(), std::vector<std::string>{"assertion"}) << mended.text();
}

TEST_F(Weak, WhatWasCutIsSaid) {
  engine_ = std::make_unique<EngineProcess>(EngineProcess::Options{{{"HEDDLE_WEAK_SECONDS", "0"}}, 0});
  const Answer cut = save(store_buffering("relaxed"));
  EXPECT_EQ(cut.final_verdict()->kind(), v1::VERDICT_CLEAR) << cut.text();
  EXPECT_EQ(scope(cut).memory_model(), "sc");
  EXPECT_EQ(scope(cut).weak(), v1::STEP_INCOMPLETE);
  EXPECT_TRUE(assumes_one_order(cut));
  folder_.write(".heddle.yaml", "memory-model: rc11\n");
  const Answer asked = save(store_buffering("relaxed"));
  EXPECT_EQ(asked.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << asked.text();
  EXPECT_NE(asked.final_verdict()->message().find("what rc11 allows in addition is not explored"), std::string::npos);
}

// Two threads that each add twelve times have far more graphs than two seconds are enough for.
std::string many_graphs(const std::string& more) {
  return "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n, other;\n"
         "static void *work(void *p) {\n  for (int i = 0; i < 12; ++i)\n"
         "    atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);\n" +
         more +
         "  return p;\n}\n"
         "int main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, work, 0);\n  pthread_create(&u, 0, work, 0);\n"
         "  pthread_join(t, 0);\n  pthread_join(u, 0);\n  return 0;\n}\n";
}

TEST_F(Weak, TooManyGraphs) {
  const Answer first = save(many_graphs(""));
  EXPECT_EQ(first.final_verdict()->kind(), v1::VERDICT_CLEAR) << first.text();
  EXPECT_EQ(scope(first).weak(), v1::STEP_INCOMPLETE);
  EXPECT_NE(scope(first).values().find("time limit (2.0 s)"), std::string::npos) << scope(first).values();
  const Answer second = save(many_graphs("  atomic_fetch_add(&other, 1);\n"));
  EXPECT_EQ(scope(second).weak(), v1::STEP_INCOMPLETE);
  EXPECT_NE(scope(second).values().find("time limit (0.3 s)"), std::string::npos) << scope(second).values();
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_time_limit_seconds(4);
  const Answer more = engine_->check(request);
  EXPECT_EQ(searches(more), 1u) << "more time is offered" << more.text();
}

TEST_F(Weak, OfTheGivenBaseIsOlder) {
  folder_.write("old.c", store_buffering("relaxed"));
  std::string text = store_buffering("relaxed", "static atomic_int z;\n");
  for (const std::string name : {"x", "y"})
    text.insert(text.find("  atomic_store_explicit(&" + name), "  atomic_fetch_add(&z, 1);\n");
  folder_.write("a.c", text);
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_base(folder_.file("old.c"));
  const Answer answer = engine_->check(request);
  EXPECT_EQ(answer.final_verdict()->findings(), 0u) << answer.text();
  EXPECT_EQ(answer.final_verdict()->open_findings(), 1u) << answer.text();
}

// A message behind a flag, both relaxed but for the orders that are given for the flag.
std::string message_passing(const std::string& store, const std::string& load) {
  return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int data, flag;\n"
         "static void *send(void *p) {\n"
         "  atomic_store_explicit(&data, 1, memory_order_relaxed);\n"
         "  atomic_store_explicit(&flag, 1, memory_order_" +
         store +
         ");\n  return p;\n}\n"
         "static void *receive(void *p) {\n"
         "  if (atomic_load_explicit(&flag, memory_order_" +
         load +
         "))\n"
         "    assert(atomic_load_explicit(&data, memory_order_relaxed));\n  return p;\n}\n"
         "int main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, send, 0);\n  pthread_create(&u, 0, receive, "
         "0);\n"
         "  pthread_join(t, 0);\n  pthread_join(u, 0);\n  return 0;\n}\n";
}

std::vector<std::string> changes_of(const v1::Remedy& remedy) {
  std::vector<std::string> out;
  for (const v1::OrderChange& change : remedy.changes())
    out.push_back(std::to_string(change.place().line()) + " " + change.operation() + " " + change.from() + " " +
                  change.to());
  return out;
}

TEST_F(Weak, TheWeakestOrdersThatForbidIt) {
  const Answer passing = save(message_passing("relaxed", "relaxed"));
  ASSERT_EQ(passing.findings().size(), 1u) << passing.text();
  const v1::Finding finding = passing.findings()[0];
  EXPECT_EQ(finding.only_under(), "rc11");
  EXPECT_NE(finding.message().find("`data` at line 12 is read relaxed"), std::string::npos) << finding.message();
  EXPECT_TRUE(finding.remedy().weakest());
  EXPECT_EQ(changes_of(finding.remedy()),
            (std::vector<std::string>{"7 store relaxed release", "11 load relaxed acquire"}));
  EXPECT_NE(finding.message().find("store at line 7 release, load at line 11 acquire"), std::string::npos);
  const Answer half = save(message_passing("release", "relaxed"));
  ASSERT_EQ(half.findings().size(), 1u) << half.text();
  EXPECT_EQ(changes_of(half.findings()[0].remedy()), std::vector<std::string>{"11 load relaxed acquire"});
  // What the remedy says, done.
  EXPECT_EQ(save(message_passing("release", "acquire")).final_verdict()->kind(), v1::VERDICT_CLEAR);
  const Answer buffering = save(store_buffering("relaxed"));
  ASSERT_EQ(buffering.findings().size(), 1u);
  EXPECT_EQ(changes_of(buffering.findings()[0].remedy()).size(), 4u) << "all four have to be seq_cst";
}

TEST_F(Weak, EachOrderOneStepWeaker) {
  folder_.write("a.c", message_passing("seq_cst", "acquire"));
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_full(true);
  request.set_trial(true);
  request.set_weaken(true);
  const Answer answer = engine_->check(request);
  std::vector<std::string> rows;
  for (const v1::Event& event : answer.events) {
    if (!event.has_weakening()) continue;
    const v1::OrderChange& change = event.weakening().change();
    rows.push_back(std::to_string(change.place().line()) + " " + change.from() + " " + change.to() + " " +
                   event.weakening().outcome() + " " + event.weakening().rule());
  }
  EXPECT_EQ(rows, (std::vector<std::string>{"7 seq_cst release harmless ", "11 acquire relaxed noticed assertion"}));
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_CLEAR) << answer.text();
}

}  // namespace
}  // namespace heddle::engine::test
