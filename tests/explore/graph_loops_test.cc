// Execution graphs of programs with loops that wait or try again: which rounds are in vain, and replays.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/explore/graph_counts.h"

namespace heddle::explore {
namespace {

TEST(GraphLoops, SpinsWaitForAStore) {
  const CProgram program(litmus({"while (!ld(&x,A)) ; int r = d; (void)r", "d = 1; st(&x,1,L)"}));
  const Explored explored = graphs(program, MemoryModel::Rc11, machine::PlainAccesses::Invisible);
  EXPECT_TRUE(explored.rules().empty());
  EXPECT_GE(explored.result.statistics.graphs, 1u);
  const CProgram never(litmus({"while (!ld(&x,A)) ;", "st(&y,1,L)"}));
  EXPECT_FALSE(graphs(never, MemoryModel::Rc11).rules().empty());
}

// Of the rounds of a loop only the last one is in a complete graph.
TEST(GraphLoops, RoundsInVainAreNoGraphs) {
  EXPECT_EQ(count({"ld(&y,R); ld(&z,R); while (!ld(&x,A)) ;", "st(&x,1,L)"}), (Counts{1, 1, 1, 1}));
  EXPECT_EQ(count({"int e = 1; while (!atomic_compare_exchange_strong(&x, &e, 2)) e = 1;", "st(&x,1,R)", "st(&x,3,R)"}),
            (Counts{2, 2, 2, 2}));
  // Its locals have addresses: memory is compared.
  const std::string waits =
      "int e[2] = {1, 0}; int *q = &e[ld(&z,R)]; do *q = 1; while (!atomic_compare_exchange_weak("
      "&x, q, 2));";
  EXPECT_EQ(count({waits, "st(&x,1,R)", "st(&x,3,R)"}), (Counts{2, 2, 2, 2}));
  EXPECT_EQ(count({"for (int n = 0; n < 3 && !ld(&x,R); n++) ;", "st(&x,1,R)"}), (Counts{4, 4, 4, 4}));
  EXPECT_EQ(count({"while (!ld(&x,A)) usleep(1);", "st(&x,1,L)"}, "#include <unistd.h>\n"), (Counts{1, 1, 1, 1}));
  EXPECT_EQ(count({"while (pthread_mutex_trylock(&m)) ; d++; pthread_mutex_unlock(&m)",
                   "pthread_mutex_lock(&m); d++; pthread_mutex_unlock(&m)"}),
            (Counts{2, 2, 2, 2}));
}

// A round that stores is in vain only if it stores what its thread saw there last: another thread may have stored the
// same, earlier or later in coherence order.
TEST(GraphLoops, ARoundThatStoresIsNotInVain) {
  const std::string helps = "while (ld(&x,R) != 1) st(&x,1,R)";
  EXPECT_EQ(count({"st(&x,1,R)", helps}), (Counts{4, 4, 4, 4}));
  EXPECT_EQ(count({"st(&x,1,R)", helps, helps}), (Counts{35, 35, 35, 35}));
  EXPECT_EQ(count({"st(&x,1,R); st(&y,1,L)", "while (!ld(&y,R)) st(&x,1,R)"}), (Counts{3, 3, 3, 3}));
}

// A compare-exchange that is tried again with what the failed one returned: a graph in which the load before the loop
// found that value shows the same.
TEST(GraphLoops, ARetryIsARoundInVain) {
  const auto adds = [](const std::string& load, const std::string& orders) {
    return "int r = ld(&x," + load + "); while (!atomic_compare_exchange_strong_explicit(&x, &r, r + 1, " + orders +
           ")) ;";
  };
  const std::string relaxed = adds("R", "R, R");
  EXPECT_EQ(count({relaxed, relaxed, relaxed}), (Counts{6, 6, 6, 6}));
  EXPECT_EQ(count({adds("A", "memory_order_acq_rel, A"), adds("R", "L, A")}), (Counts{2, 2, 2, 2}));
  const std::string looks =
      "int r = ld(&x,R); while (!atomic_compare_exchange_strong(&x, &r, 42)) if (!ld(&y,R)) r = ld(&x,R);";
  EXPECT_EQ(count({looks, "st(&x,1,R); st(&y,1,R)"}), (Counts{2, 2, 2, 2}));
  // What is expected has an address; each try stores to memory.
  const std::string by_address =
      "int e[2], *q = &e[ld(&z,R)]; *q = ld(&x,R); while (!atomic_compare_exchange_strong(&x, q, *q + 1)) ;";
  EXPECT_EQ(count({by_address, by_address, by_address}), (Counts{6, 6, 6, 6}));
  const std::string pushes =
      "struct node n, *old = atomic_load(&head); do n.next = old; while (!atomic_compare_exchange_strong(&head, &old, "
      "&n));";
  EXPECT_EQ(
      count({pushes, pushes, pushes}, "struct node { struct node *next; };\nstatic _Atomic(struct node *) head;\n"),
      (Counts{6, 6, 6, 6}));
}

TEST(GraphLoops, ARetryThatIsNotInVain) {
  // The load gives more than the failed exchange does.
  const std::string acquires =
      "int r = ld(&x,A); while (!atomic_compare_exchange_strong_explicit(&x, &r, r + 1, R, R)) ;";
  EXPECT_EQ(count({acquires, acquires}), (Counts{4, 4, 4, 4}));
  // Each try leaves a mark: in a variable, in memory, in what others see.
  for (const std::string tried : {"int n = 0, *k = &n", "int n[2] = {0}, *k = &n[ld(&z,R)]"}) {
    const std::string counts = tried + ", r = ld(&x,R); while (!atomic_compare_exchange_strong(&x, &r, r + 1)) ++*k; ";
    EXPECT_EQ(graphs(CProgram(litmus({counts + "assert(!*k)", counts})), MemoryModel::Sc).rules(),
              std::set<std::string>{"assertion"});
  }
  const std::string tells = "int r = ld(&x,R); while (!atomic_compare_exchange_strong(&x, &r, r + 1)) st(&y,1,R)";
  EXPECT_EQ(graphs(CProgram(litmus({tells, tells, "assert(!ld(&y,R))"})), MemoryModel::Sc).rules(),
            std::set<std::string>{"assertion"});
}

// As std::lock does: lock one, try the other, give the first one back.
std::string takes_both(const std::string& first, const std::string& second) {
  return "for (;;) { pthread_mutex_lock(&" + first + "); if (pthread_mutex_trylock(&" + second +
         ") == 0) break; pthread_mutex_unlock(&" + first +
         "); } d++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&k)";
}

std::set<std::string> found_by_interleavings(const CProgram& program) {
  Task task;
  task.machine.plain_accesses = machine::PlainAccesses::Visible;
  std::set<std::string> ids;
  for (const detect::Finding& finding : run(program, task).findings) ids.insert(finding.id);
  return ids;
}

TEST(GraphLoops, ALivelockWhoseRoundsTakeALock) {
  const std::string lock = "#include <pthread.h>\nstatic pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;\n";
  const std::string itself =
      "for (;;) { pthread_mutex_lock(&m); if (pthread_mutex_trylock(&m) == 0) break; "
      "pthread_mutex_unlock(&m); }";
  const std::string polls = "for (int f = 0; !f;) { pthread_mutex_lock(&m); f = d; pthread_mutex_unlock(&m); }";
  for (const std::vector<std::string>& threads :
       std::vector<std::vector<std::string>>{{itself},
                                             {itself, "st(&x,1,R)"},
                                             {polls},
                                             {polls, "pthread_mutex_lock(&m); pthread_mutex_unlock(&m)"},
                                             {takes_both("m", "k"), "pthread_mutex_lock(&k)"}}) {
    const CProgram program(lock + litmus(threads));
    std::set<std::string> found;
    for (const detect::Finding& finding : graphs(program, MemoryModel::Rc11).findings) found.insert(finding.id);
    EXPECT_FALSE(found.empty()) << threads[0];
    EXPECT_EQ(found, found_by_interleavings(program)) << threads[0];
  }
}

TEST(GraphLoops, ALoopThatCountsItsRoundsIsALimit) {
  const CProgram program(litmus({"int n = 0; while (!ld(&x,R)) n++; st(&y,n,R)", "st(&x,1,R)"}));
  EXPECT_EQ(graphs(program, MemoryModel::Rc11).result.completeness, Completeness::GuestLimit);
}

// Loops wait in a replay as they did in the search, and reads find what they found.
TEST(GraphLoops, AReplayFollowsLoops) {
  const std::string waits = "while (!ld(&y,R)) ", read = "; assert(ld(&x,R))", stores = "st(&x,1,R); st(&y,1,R)";
  const std::string locked =
      "while (atomic_exchange_explicit(&y, 1, R)) ; int s = ld(&x,R); st(&x,s + 1,R); st(&y,0,R); "
      "if (atomic_fetch_add(&z, 1) == 1) assert(ld(&x,R) == 2)";
  const std::string enters = "; int n = atomic_fetch_add(&z, 1); assert(!n); atomic_fetch_sub(&z, 1)";
  const std::vector<std::vector<std::string>> programs = {
      {waits + ";" + read, stores},
      {"int n = 0; while (!ld(&y,R) && n < 20) n++; if (n < 20 && n > 10) assert(ld(&x,R))", stores},
      {waits + "sched_yield()" + read, stores},
      {"for (int n = 0; n < 20; n++) { if (ld(&y,R)) { assert(ld(&x,R) || n < 12); break; } sched_yield(); }", stores},
      {"for (int n = 0; n < 6; n++) { if (ld(&y,R)) { assert(ld(&x,R) || n < 5); break; } usleep(1); }", stores},
      {"while (!ld(&y,R) && !ld(&z,R)) ;" + read, stores},
      {locked, locked},
      {"st(&x,1,R); while (ld(&y,R)) ;" + enters, "st(&y,1,R); while (ld(&x,R)) ;" + enters},
      {"st(&x,1,R); if (!ld(&y,R)) while (!ld(&z,A)) ;", "st(&y,1,R); if (ld(&x,R)) st(&z,1,R)"},
      {"int e = 1; while (!atomic_compare_exchange_weak_explicit(&y, &e, 2, R, R)) e = 1" + read, stores},
      {"st(&x,1,R); int e[2] = {1, 0}, *q = &e[ld(&z,R)]; if (!ld(&y,R)) do *q = 1; while "
       "(!atomic_compare_exchange_weak(&z, q, 2))",
       "st(&y,1,R); if (ld(&x,R)) st(&z,1,R)"},
  };
  for (const std::vector<std::string>& threads : programs) {
    const CProgram program("#include <sched.h>\n#include <unistd.h>\n" + litmus(threads));
    const Explored explored = graphs(program, MemoryModel::Rc11);
    EXPECT_TRUE(std::any_of(explored.findings.begin(), explored.findings.end(), [](const detect::Finding& finding) {
      return finding.only_under == "rc11";
    })) << threads[0];
    for (const detect::Finding& finding : explored.findings) {
      std::set<std::string> seen;
      Listener listener;
      listener.finding = [&](const detect::Finding& again) { seen.insert(again.id); };
      Task task;
      task.mode = Mode::Graphs;
      task.machine.plain_accesses = machine::PlainAccesses::Visible;
      replay(program.image, finding.schedule, task, listener);
      EXPECT_TRUE(seen.contains(finding.id)) << threads[0] << ": " << finding.message;
    }
  }
}

}  // namespace
}  // namespace heddle::explore
