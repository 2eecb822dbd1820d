// Programs of atomics, and their numbers of execution graphs under each memory model.
//
// In:      the bodies of threads.
// Out:     what the search for graphs finds and counts.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   count() adds a failure for a search that is not complete.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/explore/c_program.h"

namespace heddle::explore {

using graph::MemoryModel;

// Threads are the bodies of functions over x, y, z; main starts and joins them.
inline std::string litmus(const std::vector<std::string>& threads) {
  std::string text =
      "#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n"
      "atomic_int x, y, z; int d; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "#define R memory_order_relaxed\n#define A memory_order_acquire\n#define L memory_order_release\n"
      "#define S memory_order_seq_cst\n#define ld atomic_load_explicit\n"
      "#define st atomic_store_explicit\n";
  for (size_t n = 0; n < threads.size(); ++n)
    text += "static void *t" + std::to_string(n) + "(void *p) { " + threads[n] + "; return 0; }\n";
  text += "int main(void) { pthread_t t[8];\n";
  for (size_t n = 0; n < threads.size(); ++n)
    text += "pthread_create(&t[" + std::to_string(n) + "], 0, t" + std::to_string(n) + ", 0);\n";
  text += "for (int i = 0; i < " + std::to_string(threads.size()) + "; i++) pthread_join(t[i], 0); return 0; }\n";
  return text;
}

inline Explored graphs(const CProgram& program, MemoryModel model,
                       machine::PlainAccesses plain = machine::PlainAccesses::Visible) {
  Task task;
  task.mode = Mode::Graphs;
  task.rules.model = model;
  task.machine.plain_accesses = plain;
  task.minimise = false;
  task.follow_races = false;
  return run(program, task);
}

struct Counts {
  uint64_t sc, tso, ra, rc11;
  bool operator==(const Counts&) const = default;
};
inline void PrintTo(const Counts& c, std::ostream* out) {
  *out << c.sc << ' ' << c.tso << ' ' << c.ra << ' ' << c.rc11;
}

inline Counts count(const std::vector<std::string>& threads, const std::string& headers = "") {
  const CProgram program(headers + litmus(threads));
  const auto of = [&](MemoryModel model) {
    const Explored explored = graphs(program, model);
    EXPECT_EQ(explored.result.completeness, Completeness::Complete);
    for (const Limit& limit : explored.result.limits) ADD_FAILURE() << limit.message;
    return explored.result.statistics.graphs;
  };
  return {of(MemoryModel::Sc), of(MemoryModel::Tso), of(MemoryModel::Ra), of(MemoryModel::Rc11)};
}

}  // namespace heddle::explore
