// Unknown inputs in execution graphs: how many graphs there are, what is found, and with which inputs. Each program is
// also explored with each of a few values in place of its input: known ones, and unknown ones that are assumed to be
// this value. Both have the same graphs.
#include <gtest/gtest.h>

#include <map>

#include "tests/explore/graph_counts.h"

namespace heddle::explore {
namespace {

struct Case {
  std::string name;
  std::string text;               // with IN for the unknown input, asked for in main: `n` is it
  Counts graphs;                  // with every value of the input
  Counts failing = {0, 0, 0, 0};  // 1: some value fails an assertion
  std::string input = "";         // what a finding says, where a model has one
};

const std::string kHead =
    "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n"
    "int __VERIFIER_nondet_int(void); void __VERIFIER_assume(int);\n"
    "#define R memory_order_relaxed\n#define A memory_order_acquire\n#define L memory_order_release\n"
    "#define S memory_order_seq_cst\n#define ld atomic_load_explicit\n#define st atomic_store_explicit\n"
    "#define add atomic_fetch_add_explicit\n#define fence atomic_thread_fence\n"
    "#define cas(p, e, v) atomic_compare_exchange_strong_explicit(p, e, v, R, R)\n"
    "static int assumed(int v) { int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n == v); return n; }\n"
    "atomic_int x, y, z; int n;\n";

// The threads' bodies; main asks for the input, then starts and joins them.
std::string program(const std::vector<std::string>& threads, const std::string& before = "",
                    const std::string& globals = "") {
  std::string text = kHead + globals + "\n";
  for (size_t t = 0; t < threads.size(); ++t)
    text += "static void *t" + std::to_string(t) + "(void *p) { " + threads[t] + "; return 0; }\n";
  text += "int main(void) { pthread_t t[4]; n = IN; " + before + ";\n";
  for (size_t t = 0; t < threads.size(); ++t)
    text += "pthread_create(&t[" + std::to_string(t) + "], 0, t" + std::to_string(t) + ", 0);\n";
  return text + "for (int i = 0; i < " + std::to_string(threads.size()) + "; i++) pthread_join(t[i], 0); return 0; }\n";
}

const std::vector<Case> kCases = {
    // Of three graphs (the flag is not seen; it is, and the value asked about) ...
    {"message passing",
     program({"st(&x,n,R); st(&y,1,L)", "if (ld(&y,A)) { int r = ld(&x,R); assert(r != 7); }"}),
     {3, 3, 3, 3},
     {1, 1, 1, 1},
     "= 7"},
    // ... a fourth sees the flag and no value.
    {"message passing, relaxed",
     program({"st(&x,n,R); st(&y,1,R)", "if (ld(&y,R)) { int r = ld(&x,R); assert(r == n); }"}),
     {2, 2, 2, 4},
     {0, 0, 0, 1},
     "= 1"},
    // 3 or 4 graphs without the question, which two of them ask.
    {"store buffering with a branch on data",
     program({"st(&x,1,R); if (ld(&y,R) == 3) st(&z,1,R)", "st(&y,n,R); ld(&x,R)"}),
     {5, 6, 6, 6}},
    // Before the store it fails; after it, it fails or succeeds.
    {"compare-exchange on an unknown", program({"st(&x,n,R)", "int e = 1; cas(&x,&e,2)"}), {3, 3, 3, 3}},
    // It finds either store, and fails or succeeds.
    {"compare-exchange that expects an unknown", program({"st(&x,1,R)", "int e = n; cas(&x,&e,2)"}), {4, 4, 4, 4}},
    // 2! orders; the reader finds nothing, or one or both sums, of which it asks.
    {"fetch_add of an unknown",
     program({"add(&x,n,R)", "add(&x,n,R)", "assert(ld(&x,R) != 6)"}),
     {10, 10, 10, 10},
     {1, 1, 1, 1},
     "= 3"},
    // Nothing is asked of what only passes through.
    {"exchange of an unknown",
     program({"atomic_exchange_explicit(&x,n,R)", "atomic_exchange_explicit(&x,1,R)"}),
     {2, 2, 2, 2}},
    // Both ask about one input: 1 + 1, and 1 for neither.
    {"two threads ask about one input", program({"if (n > 1) st(&x,1,R)", "if (n < 1) st(&x,2,R)"}), {3, 3, 3, 3}},
    // One value in 2^32, and both reads older than the stores.
    {"one value in four billion and a weak behaviour",
     program({"st(&x,1,R); if (ld(&y,R) == 0 && n * 3u == 123456789u) st(&z,1,L)",
              "st(&y,1,R); if (ld(&x,R) == 0) assert(!ld(&z,A))"}),
     {4, 7, 7, 7},
     {0, 1, 1, 1},
     "= 41152263"},
    // The initial value is unknown.
    {"an unknown that was there before",
     program({"st(&x,5,R)", "assert(ld(&x,R) != 9)"}, "atomic_init(&x, n)"),
     {3, 3, 3, 3},
     {1, 1, 1, 1},
     "= 9"},
    // Either the assumption holds, or the store is there: it is read, or the assumption fails.
    {"an assumption",
     program({"int r = ld(&y,R); if (!r) __VERIFIER_assume(n > 1)", "if (n <= 1) st(&y,1,R)"}),
     {3, 3, 3, 3}},
    // What it reads is the input or not: of the first value, of the second one, and of the second one after the first.
    // A
    // round that asks is kept; one that reads the same again is none.
    {"a loop that waits for an unknown value", program({"while (ld(&x,A) != n) {}", "st(&x,3,L)"}), {6, 6, 6, 6}},
    // A slot is full or empty: the element that is taken is the one that was put.
    {"ring of one slot",
     program({"if (!ld(&y,A)) { st(&x,n,R); st(&y,1,L); }",
              "if (ld(&y,A)) { int e = ld(&x,R); assert(e == n); st(&y,0,L); }"}),
     {2, 2, 2, 2}},
    {"ring of one slot, published too early",
     program({"if (!ld(&y,A)) { st(&y,1,L); st(&x,n,R); }", "if (ld(&y,A)) { int e = ld(&x,R); assert(e == n); }"}),
     {4, 4, 4, 4},
     {1, 1, 1, 1},
     "= 1"},
};

std::string with(const std::string& text, const std::string& input) { return "#define IN " + input + "\n" + text; }

Task task_of(Mode mode, MemoryModel model) {
  Task task;
  task.mode = mode;
  task.rules.model = model;
  task.machine.unknown_data = machine::UnknownData::Symbolic;
  if (mode == Mode::Graphs) task.machine.plain_accesses = machine::PlainAccesses::Visible;
  task.follow_races = false;
  return task;
}

Explored graphs_of(const CProgram& program, MemoryModel model) { return run(program, task_of(Mode::Graphs, model)); }

// What a recorded interleaving shows when it is followed again, after it was written down.
std::string replayed(const CProgram& program, const detect::Finding& finding, MemoryModel model) {
  std::string message;
  Listener listener;
  listener.finding = [&](const detect::Finding& again) { message = again.id + again.message; };
  const auto schedule = detect::read_schedule(detect::print(finding.schedule));
  if (schedule) replay(program.image, *schedule, task_of(Mode::Graphs, model), listener);
  return message;
}

// Also those in which an assertion failed, so that main waits for its thread.
uint64_t all_graphs(const Explored& explored) {
  return explored.result.statistics.graphs + explored.result.statistics.blocked;
}

uint64_t of(const Counts& counts, size_t model) {
  const uint64_t all[] = {counts.sc, counts.tso, counts.ra, counts.rc11};
  return all[model];
}

TEST(GraphUnknown, EveryValueOfTheInput) {
  for (const Case& one : kCases) {
    const CProgram program(with(one.text, "__VERIFIER_nondet_int()"));
    for (size_t model = 0; model < 4; ++model) {
      const Explored explored = graphs_of(program, static_cast<MemoryModel>(model));
      const std::string where = one.name + ", model " + std::to_string(model);
      for (const Limit& limit : explored.result.limits) ADD_FAILURE() << where << ": " << limit.message;
      EXPECT_EQ(explored.result.completeness, Completeness::Complete) << where;
      EXPECT_EQ(all_graphs(explored), of(one.graphs, model)) << where;
      const detect::Finding* const finding = explored.of("assertion");
      ASSERT_EQ(finding != nullptr, of(one.failing, model) != 0) << where;
      if (finding == nullptr) continue;
      EXPECT_NE(finding->message.find(one.input), std::string::npos) << where << ": " << finding->message;
      const std::string again = replayed(program, *finding, static_cast<MemoryModel>(model));
      EXPECT_EQ(again.find(finding->id), 0u) << where << ": " << detect::print(finding->schedule);
      EXPECT_NE(again.find(one.input), std::string::npos) << where << ": " << again;
    }
  }
}

TEST(GraphUnknown, UnderScTheSameIsFoundByInterleavings) {
  for (const Case& one : kCases) {
    if (one.text.find("while") != std::string::npos) continue;  // seconds by interleavings
    const CProgram program(with(one.text, "__VERIFIER_nondet_int()"));
    EXPECT_EQ(run(program, task_of(Mode::Full, MemoryModel::Sc)).of("assertion") != nullptr, one.failing.sc != 0)
        << one.name;
  }
}

TEST(GraphUnknown, WhatNeedsANumberIsALimitWithItsPlace) {
  const Explored explored =
      graphs_of(CProgram(with(program({"double d = ld(&x,R); if (d > 2.5) st(&y,1,R)", "st(&x,n,R); st(&x,1,R)"}),
                              "__VERIFIER_nondet_int()")),
                MemoryModel::Rc11);
  EXPECT_EQ(explored.result.completeness, Completeness::GuestLimit);
  ASSERT_EQ(explored.result.limits.size(), 1u);
  EXPECT_NE(explored.result.limits[0].message.find("needs a number"), std::string::npos);
  EXPECT_NE(explored.result.limits[0].place.line, 0u);
}

TEST(GraphUnknown, EachValueHasItsGraphs) {
  for (const Case& one : kCases) {
    const std::string value = one.input.empty() ? "1" : one.input.substr(2);
    const CProgram known(with(one.text, value)), assumed(with(one.text, "assumed(" + value + ")"));
    for (const MemoryModel model : {MemoryModel::Sc, MemoryModel::Rc11}) {
      const Explored by_number = graphs_of(known, model), by_expression = graphs_of(assumed, model);
      const std::string where = one.name + " with " + value + ", model " + std::to_string(static_cast<int>(model));
      EXPECT_EQ(by_expression.result.statistics.graphs, by_number.result.statistics.graphs) << where;
      EXPECT_EQ(all_graphs(by_expression), all_graphs(by_number) + 1) << where << ": one that is assumed away";
      EXPECT_EQ(by_expression.rules(), by_number.rules()) << where;
    }
  }
}

}  // namespace
}  // namespace heddle::explore
