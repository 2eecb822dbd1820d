// Execution graphs of C programs: the counts that are known for litmus tests, under each memory model.
#include <gtest/gtest.h>

#include <array>

#include "tests/explore/graph_counts.h"

namespace heddle::explore {
namespace {

TEST(GraphMachine, StoreBuffering) {
  EXPECT_EQ(count({"st(&x,1,R); ld(&y,R)", "st(&y,1,R); ld(&x,R)"}), (Counts{3, 4, 4, 4}));
  EXPECT_EQ(count({"st(&x,1,S); ld(&y,S)", "st(&y,1,S); ld(&x,S)"}), (Counts{3, 3, 4, 3}));
  EXPECT_EQ(count({"st(&x,1,R); atomic_thread_fence(S); ld(&y,R)", "st(&y,1,R); atomic_thread_fence(S); ld(&x,R)"}),
            (Counts{3, 3, 3, 3}));
}

TEST(GraphMachine, TwoWritesEach) {
  EXPECT_EQ(count({"st(&x,1,R); st(&y,2,R)", "st(&y,1,R); st(&x,2,R)"}), (Counts{3, 3, 4, 4}));
}

TEST(GraphMachine, IndependentReads) {
  EXPECT_EQ(count({"st(&x,1,L)", "st(&y,1,L)", "ld(&x,A); ld(&y,A)", "ld(&y,A); ld(&x,A)"}), (Counts{15, 15, 16, 16}));
}

TEST(GraphMachine, MessagePassing) {
  EXPECT_EQ(count({"st(&x,1,R); st(&y,1,L)", "ld(&y,A); ld(&x,R)"}), (Counts{3, 3, 3, 3}));
  EXPECT_EQ(count({"st(&x,1,R); st(&y,1,R)", "ld(&y,R); ld(&x,R)"}), (Counts{3, 3, 3, 4}));
}

// n updates of one location in any order: n!
TEST(GraphMachine, Updates) {
  EXPECT_EQ(count({"atomic_fetch_add(&x,1)", "atomic_fetch_add(&x,1)", "atomic_fetch_add(&x,1)"}),
            (Counts{6, 6, 6, 6}));
  EXPECT_EQ(
      count({"int e=0; atomic_compare_exchange_strong(&x,&e,1)", "int e=0; atomic_compare_exchange_strong(&x,&e,2)"}),
      (Counts{2, 2, 2, 2}));
}

// n threads take a lock once in any order: n!
TEST(GraphMachine, Locks) {
  const std::string section = "pthread_mutex_lock(&m); d++; pthread_mutex_unlock(&m)";
  EXPECT_EQ(count({section, section, section}), (Counts{6, 6, 6, 6}));
}

// The other thread has always ended when the process ends here; in another order it still runs then.
TEST(GraphMachine, AnEndOfTheProcessThatMayComeEarlierIsALimit) {
  const std::string headers = "#include <stdlib.h>\n";
  const CProgram early(headers + litmus({"st(&x,1,R)", "exit(0)"}));
  EXPECT_EQ(graphs(early, MemoryModel::Sc).result.completeness, Completeness::GuestLimit);
  const CProgram waits(headers + litmus({"st(&x,1,R)"}));
  EXPECT_EQ(graphs(waits, MemoryModel::Sc).result.completeness, Completeness::Complete);
}

TEST(GraphMachine, DeadlockOfTwoLocks) {
  const CProgram program(
      "#include <pthread.h>\npthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;\n" +
      litmus({"pthread_mutex_lock(&m); pthread_mutex_lock(&k); pthread_mutex_unlock(&k); pthread_mutex_unlock(&m)",
              "pthread_mutex_lock(&k); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&k)"}));
  EXPECT_NE(graphs(program, MemoryModel::Rc11).of("deadlock"), nullptr);
}

// Counts that are published: GenMC has 22, SC gives 18.
TEST(GraphMachine, UpdateBetweenReleaseAndSeqCst) {
  const Counts counts = count({"st(&x,1,S); st(&y,1,L)", "atomic_fetch_add(&y,1); ld(&y,R)", "st(&y,3,S); ld(&x,S)"});
  EXPECT_EQ(counts.sc, 18u);
  EXPECT_EQ(counts.rc11, 22u);
}

// A thread that waits for a lock takes it as soon as it is free: no graph of these waits in the end.
TEST(GraphMachine, BlockedGraphsAreThoseInWhichAThreadWaitsForGood) {
  const std::string section = "pthread_mutex_lock(&m); d++; pthread_mutex_unlock(&m)";
  const auto blocked = [](const std::vector<std::string>& threads) {
    const CProgram program(litmus(threads));
    return graphs(program, MemoryModel::Rc11, machine::PlainAccesses::Invisible).result.statistics.blocked;
  };
  EXPECT_EQ(blocked({section, section}), 0u);
  EXPECT_EQ(blocked({section, section, section}), 0u);
  EXPECT_EQ(blocked({"pthread_mutex_lock(&m)", "pthread_mutex_lock(&m)"}), 2u);
}

std::string with_condition(const std::vector<std::string>& threads) {
  return "#include <pthread.h>\n#include <time.h>\npthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
         "static const struct timespec soon = {1, 0};\n" +
         litmus(threads);
}

const std::string kLock = "pthread_mutex_lock(&m); ", kUnlock = "; pthread_mutex_unlock(&m)";
const std::string kAwait = kLock + "while (!d) pthread_cond_wait(&c, &m)" + kUnlock;

// By schedules and by graphs under SC the same is found.
void same_by_schedules(const std::string& text) {
  const CProgram program(text);
  Task task;
  task.mode = Mode::Full;
  const Explored schedules = run(program, task);
  const Explored by_graphs = graphs(program, MemoryModel::Sc, machine::PlainAccesses::Invisible);
  EXPECT_EQ(by_graphs.result.completeness, Completeness::Complete) << text;
  EXPECT_EQ(by_graphs.rules(), schedules.rules()) << text;
}

TEST(GraphMachine, ConditionVariables) {
  const CProgram right(with_condition({kAwait, kLock + "d = 1; pthread_cond_signal(&c)" + kUnlock}));
  const Explored explored = graphs(right, MemoryModel::Rc11, machine::PlainAccesses::Invisible);
  EXPECT_TRUE(explored.rules().empty());
  EXPECT_EQ(explored.result.completeness, Completeness::Complete);
  EXPECT_EQ(explored.result.statistics.graphs, 2u) << "either thread has the lock first";
  EXPECT_EQ(explored.result.statistics.blocked, 0u);
  const CProgram lost(
      with_condition({kLock + "pthread_cond_wait(&c, &m)" + kUnlock, kLock + "pthread_cond_signal(&c)" + kUnlock}));
  const Explored once = graphs(lost, MemoryModel::Rc11, machine::PlainAccesses::Invisible);
  EXPECT_EQ(once.rules(), std::set<std::string>{"lost-signal"});
  EXPECT_EQ(once.result.statistics.graphs, 1u);
  EXPECT_EQ(once.result.statistics.blocked, 1u);
}

TEST(GraphMachine, ConditionVariablesAsBySchedules) {
  const std::string set = kLock + "d = 1" + kUnlock;
  same_by_schedules(with_condition({kAwait, set + "; pthread_cond_signal(&c)"}));
  same_by_schedules(with_condition({kAwait, kAwait, set + "; pthread_cond_signal(&c)"}));
  same_by_schedules(with_condition({kAwait, kAwait, set + "; pthread_cond_broadcast(&c)"}));
  same_by_schedules(with_condition(
      {kLock + "while (!ld(&x,R)) pthread_cond_wait(&c, &m)" + kUnlock, "st(&x,1,R); pthread_cond_signal(&c)"}));
  same_by_schedules(with_condition({kLock + "d++; pthread_cond_timedwait(&c, &m, &soon); assert(d == 1)" + kUnlock,
                                    kLock + "d = 2; pthread_cond_signal(&c)" + kUnlock}));
  same_by_schedules(with_condition(
      {"if (pthread_mutex_timedlock(&m, &soon)) assert(0); else pthread_mutex_unlock(&m)", kLock + "d = 2" + kUnlock}));
}

// A signal may wake either of the waiters: each of them is the one that goes on alone.
TEST(GraphMachine, ASignalWakesAnyOfTheWaiters) {
  const std::string wait = kLock + "d++; pthread_cond_wait(&c, &m); st(&x,";
  const std::string text = with_condition({wait + "1,R)" + kUnlock, wait + "2,R)" + kUnlock,
                                           kLock + "int w = d; if (w == 2) pthread_cond_signal(&c)" + kUnlock +
                                               "; if (w == 2) { int r = ld(&x,R); assert(r != 1); assert(r != 2); }"});
  const Explored explored = graphs(CProgram(text), MemoryModel::Rc11, machine::PlainAccesses::Invisible);
  const auto failed = std::count_if(explored.findings.begin(), explored.findings.end(),
                                    [](const detect::Finding& finding) { return finding.rule == "assertion"; });
  EXPECT_EQ(failed, 2);
}

// Nothing is ordered by a lock that was tried in vain; and who does not know that it is free again may find it held.
TEST(GraphMachine, AFailedTryOrdersNothing) {
  const auto fails = [](const std::string& one, const std::string& other, MemoryModel model) {
    const CProgram program(litmus({one, other}));
    return graphs(program, model, machine::PlainAccesses::Invisible).rules().contains("assertion");
  };
  const std::string before = "st(&x,1,R); pthread_mutex_lock(&m)",
                    looks = "if (pthread_mutex_trylock(&m)) assert(ld(&x,R))";
  EXPECT_FALSE(fails(before, looks, MemoryModel::Sc));
  EXPECT_TRUE(fails(before, looks, MemoryModel::Rc11));
  const std::string held = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m); st(&x,1,L)";
  EXPECT_FALSE(fails(held, "if (ld(&x,A)) assert(!pthread_mutex_trylock(&m))", MemoryModel::Rc11));
  EXPECT_TRUE(fails(held, "if (ld(&x,R)) assert(!pthread_mutex_trylock(&m))", MemoryModel::Rc11));
  EXPECT_FALSE(fails(held, "if (ld(&x,R)) assert(!pthread_mutex_trylock(&m))", MemoryModel::Sc));
}

TEST(GraphMachine, AFailedTryOfALockForReadersOrASemaphoreOrdersNothing) {
  const std::string objects =
      "#include <pthread.h>\n#include <semaphore.h>\n#include <time.h>\nstatic const struct timespec soon = {1, 0};\n"
      "static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; static sem_t s;\n"
      "__attribute__((constructor)) static void begin(void) { sem_init(&s, 0, 1); }\n";
  const auto fails = [&](const std::string& one, const std::string& other, MemoryModel model) {
    const CProgram program(objects + litmus({one, other}));
    return graphs(program, model, machine::PlainAccesses::Invisible).rules().contains("assertion");
  };
  const std::vector<std::array<std::string, 3>> tries = {
      {"pthread_rwlock_wrlock(&l)", "pthread_rwlock_unlock(&l)", "pthread_rwlock_tryrdlock(&l)"},
      {"pthread_rwlock_rdlock(&l)", "pthread_rwlock_unlock(&l)", "pthread_rwlock_trywrlock(&l)"},
      {"pthread_rwlock_wrlock(&l)", "pthread_rwlock_unlock(&l)", "pthread_rwlock_timedwrlock(&l, &soon)"},
      {"sem_wait(&s)", "sem_post(&s)", "sem_trywait(&s)"},
      {"sem_wait(&s)", "sem_post(&s)", "sem_timedwait(&s, &soon)"}};
  for (const auto& [takes, gives, look] : tries) {
    const std::string looks = "if (" + look + ") assert(ld(&x,R))", tried = "assert(!" + look + ")",
                      held = takes + "; " + gives + "; st(&x,1,L)";
    EXPECT_FALSE(fails("st(&x,1,R); " + takes, looks, MemoryModel::Sc)) << look;
    EXPECT_TRUE(fails("st(&x,1,R); " + takes, looks, MemoryModel::Rc11)) << look;
    EXPECT_FALSE(fails(held, "if (ld(&x,A)) " + tried, MemoryModel::Rc11)) << look;
    EXPECT_TRUE(fails(held, "if (ld(&x,R)) " + tried, MemoryModel::Rc11)) << look;
    EXPECT_FALSE(fails(held, "if (ld(&x,R)) " + tried, MemoryModel::Sc)) << look;
  }
  // Readers do not refuse readers.
  EXPECT_FALSE(fails("pthread_rwlock_rdlock(&l)", "assert(!pthread_rwlock_tryrdlock(&l))", MemoryModel::Rc11));
}

// Every value is tried in every graph.
TEST(GraphMachine, SampledData) {
  const std::string choice = "extern _Bool __VERIFIER_nondet_bool(void);\n";
  const CProgram program(choice + litmus({"st(&x,__VERIFIER_nondet_bool(),R); ld(&y,R)", "st(&y,1,R); ld(&x,R)"}));
  const Explored explored = graphs(program, MemoryModel::Rc11);
  EXPECT_EQ(explored.result.completeness, Completeness::Complete);
  EXPECT_EQ(explored.result.statistics.graphs, 8u);
  EXPECT_EQ(graphs(program, MemoryModel::Sc).result.statistics.graphs, 6u);
}

// Dekker's entry without fences: both are inside, but not under SC.
TEST(GraphMachine, AssertionOfAWeakerModel) {
  const CProgram program(litmus({"st(&x,1,R); if (!ld(&y,R)) { atomic_fetch_add(&z,1); }",
                                 "st(&y,1,R); if (!ld(&x,R)) { assert(atomic_fetch_add(&z,1) != 1); }"}));
  EXPECT_TRUE(graphs(program, MemoryModel::Sc).rules().empty());
  EXPECT_TRUE(graphs(program, MemoryModel::Tso).rules().contains("assertion"));
  const Explored weak = graphs(program, MemoryModel::Rc11);
  ASSERT_NE(weak.of("assertion"), nullptr);
  const detect::Finding& finding = *weak.of("assertion");
  EXPECT_TRUE(finding.message.starts_with("only under RC11: ")) << finding.message;
  const auto older = [](const detect::TraceStep& step) { return step.action.ends_with("not the value stored last"); };
  EXPECT_EQ(std::count_if(finding.trace.begin(), finding.trace.end(), older), 1);
  EXPECT_EQ(detect::read_schedule(detect::print(finding.schedule)), finding.schedule);
}

// The interleaving has an arrow from the store to the read that still finds it, where it is known which store that is.
TEST(GraphMachine, AReadOfAnOlderValueNamesTheStepThatStoredIt) {
  const struct {
    const char *writer, *reader, *stored;
  } cases[] = {
      {"st(&x,1,R); st(&x,2,R); st(&y,1,R)", "if (ld(&y,R)) assert(ld(&x,R) != 1)", "write x = 1"},
      {"st(&x,1,R); atomic_exchange_explicit(&x,2,R); st(&y,1,R)",
       "if (ld(&y,R)) { int e = 7; atomic_compare_exchange_strong_explicit(&x,&e,8,R,R); assert(e != 1); }",
       "write x = 1"},
      {"atomic_fetch_add_explicit(&x,5,R); st(&x,2,R); st(&y,1,R)", "if (ld(&y,R)) assert(ld(&x,R) != 5)",
       "update x = 5 (was 0)"},
      {"st(&x,1,R); st(&y,1,R)", "if (ld(&y,R)) assert(ld(&x,R) != 0)", ""},  // its first value
      {"st(&x,1,R); st(&x,2,R); st(&x,1,R); st(&x,3,R); st(&y,1,R)", "if (ld(&y,R)) assert(ld(&x,R) != 1)", ""},
  };
  for (const auto& [writer, reader, stored] : cases) {
    const Explored weak = graphs(CProgram(litmus({writer, reader})), MemoryModel::Rc11);
    ASSERT_NE(weak.of("assertion"), nullptr) << reader;
    const std::vector<detect::TraceStep>& trace = weak.of("assertion")->trace;
    std::vector<std::string> named;
    for (const detect::TraceStep& step : trace)
      if (step.reads_from > 0) named.push_back(trace[step.reads_from - 1].action);
    EXPECT_EQ(named, *stored ? std::vector<std::string>{stored} : std::vector<std::string>()) << writer;
  }
}

// What is said of a finding follows its path with the rules for loops of the search that found it.
TEST(GraphMachine, AFindingAfterALoopThatGivesUp) {
  const auto loop = [](const std::string& end) {
    return "for (int i = 0; i < 16; i++) { if (ld(&go,A)) break; " + end + " }";
  };
  for (const std::string& looks :
       {loop("sched_yield();"), loop("if (i > 12) sched_yield();"), loop(""), loop("if (i == 15) futex(&go, 0, 0);")}) {
    const CProgram program(
        "#include <sched.h>\n#include <stdatomic.h>\n#include <unistd.h>\n#include <sys/syscall.h>\n"
        "static atomic_int go;\n#define futex(at, what, n) syscall(SYS_futex, at, what, n, 0, 0, 0)\n" +
        litmus({looks + " st(&x,1,R); if (!ld(&y,R)) { atomic_fetch_add(&z,1); }",
                "st(&y,1,R); if (!ld(&x,R)) { assert(atomic_fetch_add(&z,1) != 1); }",
                "st(&go,1,L); futex(&go, 1, 1)"}));
    const Explored explored = graphs(program, MemoryModel::Rc11);
    ASSERT_NE(explored.of("assertion"), nullptr) << looks;
    const detect::Finding& finding = *explored.of("assertion");
    EXPECT_TRUE(finding.message.starts_with("only under RC11: ")) << finding.message;
    EXPECT_EQ(finding.trace.back().action, "assertion 'atomic_fetch_add(&z,1) != 1' failed") << looks;
  }
}

// The thread that takes the lock first fails with it; the other one may take it before.
TEST(GraphMachine, AnErrorUnderALockDoesNotHideTheOtherOrder) {
  const CProgram program(litmus({"pthread_mutex_lock(&m); assert(d == 1); assert(d == 2)",
                                 "pthread_mutex_lock(&m); d = 1; pthread_mutex_unlock(&m)"}));
  EXPECT_EQ(graphs(program, MemoryModel::Rc11).findings.size(), 2u);
}

// A plain message behind a flag, as in practice: a race if an order is too weak.
TEST(GraphMachine, RacesFollowTheStoreThatWasRead) {
  const auto rules = [](const std::string& writes, const std::string& reads) {
    const CProgram program(litmus({"d = 1; " + writes, "if (" + reads + ") { int r = d; (void)r; }"}));
    return graphs(program, MemoryModel::Rc11, machine::PlainAccesses::Invisible).rules();
  };
  EXPECT_TRUE(rules("st(&x,1,L)", "ld(&x,A) == 1").empty());
  EXPECT_TRUE(rules("st(&x,1,R)", "ld(&x,A) == 1").contains("data-race"));
  EXPECT_TRUE(rules("st(&x,1,L)", "ld(&x,R) == 1").contains("data-race"));
}

// Under no model do both come to `d` at once: what a forbidden read would lead to is not executed.
TEST(GraphMachine, NothingIsFoundInWhatTheModelForbids) {
  const CProgram program(
      litmus({"st(&x,1,S); if (ld(&y,S) == 0) d++; st(&x,2,S)", "st(&y,1,S); if (ld(&x,S) != 1) d++"}));
  for (const MemoryModel model : {MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Rc11})
    EXPECT_TRUE(graphs(program, model, machine::PlainAccesses::Invisible).rules().empty());
}

const std::string kFutex =
    "#include <linux/futex.h>\n#include <stdatomic.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
    "static void fwait(atomic_int *w, int v) { syscall(SYS_futex, w, FUTEX_WAIT, v, (void *)0, (void *)0, 0); }\n"
    "static void fwake(atomic_int *w, int n) { syscall(SYS_futex, w, FUTEX_WAKE, n, (void *)0, (void *)0, 0); }\n";

TEST(GraphMachine, FutexesAsBySchedules) {
  const std::string waits = "while (!ld(&x,A)) fwait(&x, 0); int r = d; (void)r";
  same_by_schedules(kFutex + litmus({waits, "d = 1; st(&x,1,L); fwake(&x, 1)"}));
  same_by_schedules(kFutex + litmus({waits, "d = 1; st(&x,1,R); fwake(&x, 1)"}));
  same_by_schedules(kFutex + litmus({waits, "d = 1; st(&x,1,L)"}));
  same_by_schedules(kFutex + litmus({waits, "d = 1; fwake(&x, 1); st(&x,1,L)"}));
  same_by_schedules(kFutex + litmus({waits, waits, "d = 1; st(&x,1,L); fwake(&x, 1)"}));
  same_by_schedules(kFutex + litmus({waits, waits, "d = 1; st(&x,1,L); fwake(&x, 2)"}));
  const std::string lock =
      "int e = 0; if (!atomic_compare_exchange_strong(&x, &e, 1)) while (atomic_exchange(&x, 2))"
      " fwait(&x, 2); d++; ";
  same_by_schedules(kFutex + litmus({lock + "if (atomic_exchange(&x, 0) == 2) fwake(&x, 1)",
                                     lock + "if (atomic_exchange(&x, 0) == 2) fwake(&x, 1)"}));
  same_by_schedules(kFutex + litmus({lock + "atomic_exchange(&x, 0)", lock + "atomic_exchange(&x, 0)"}));
}

// The comparison may find an older value than the one that another thread has stored before it looked who waits.
TEST(GraphMachine, AWakeThatStoreBufferingLoses) {
  const CProgram program(
      kFutex + litmus({"st(&y,1,R); while (!ld(&x,R)) fwait(&x, 0)", "st(&x,1,R); if (ld(&y,R)) fwake(&x, 1)"}));
  EXPECT_TRUE(graphs(program, MemoryModel::Sc).rules().empty());
  EXPECT_FALSE(graphs(program, MemoryModel::Rc11).rules().empty());
  EXPECT_EQ(graphs(program, MemoryModel::Rc11).result.completeness, Completeness::Complete);
}

// Its message and trace follow the loop before it as the search did.
TEST(GraphMachine, AWakeThatIsLostAfterALoop) {
  const std::string waits =
      "st(&y,1,R); for (int i = 0; i < 16; i++) { if (ld(&x,A)) break; if (i > 11) sched_yield(); } "
      "while (!ld(&x,A)) fwait(&x, 0)";
  const Explored explored =
      graphs(CProgram("#include <sched.h>\n" + kFutex + litmus({waits, "st(&x,1,L); if (ld(&y,S)) fwake(&x, 1)"})),
             MemoryModel::Rc11);
  EXPECT_EQ(explored.result.completeness, Completeness::Complete);
  ASSERT_EQ(explored.findings.size(), 1u);
  EXPECT_TRUE(explored.findings[0].message.ends_with(" is read seq_cst)")) << explored.findings[0].message;
}

std::string at_barrier(const std::string& count, const std::vector<std::string>& threads) {
  std::string text = "#include <pthread.h>\nstatic pthread_barrier_t b; static int serial;\n" + litmus(threads);
  const std::string begin = "int main(void) {";
  text.insert(text.find(begin) + begin.size(), "pthread_barrier_init(&b, 0, " + count + ");");
  return text;
}

TEST(GraphMachine, Barriers) {
  const std::string wait = "pthread_barrier_wait(&b); ";
  const auto counted = [&](const std::string& text) {
    const Explored explored = graphs(CProgram(text), MemoryModel::Rc11);
    EXPECT_EQ(explored.result.completeness, Completeness::Complete);
    EXPECT_TRUE(explored.rules().empty());
    return explored.result.statistics.graphs;
  };
  EXPECT_EQ(counted(at_barrier(
                "2", {"st(&x,1,R); " + wait + "assert(ld(&y,R))", "st(&y,1,R); " + wait + "assert(ld(&x,R))"})),
            1u);
  EXPECT_EQ(
      counted(at_barrier("2", {wait + "st(&x,1,R); " + wait + "ld(&y,R)", wait + "ld(&x,R); " + wait + "st(&y,1,R)"})),
      2u * 2u);
  // More threads than places, and who asks who was the last: the order of arrivals is explored.
  same_by_schedules(at_barrier("2", {wait + "d = 1", wait, wait + "d = 2", wait}));
  const std::string asks = "if (pthread_barrier_wait(&b)) d++";
  same_by_schedules(at_barrier("2", {asks, asks + "; assert(!d)"}));
  same_by_schedules(at_barrier("3", {wait, wait}));
}

TEST(GraphMachine, AnEarlyEndOfTheProcessIsALimit) {
  const CProgram program(
      "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n"
      "static void *t(void *p) { atomic_store(&x, 1); return 0; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); return 0; }\n");
  EXPECT_EQ(graphs(program, MemoryModel::Rc11).result.completeness, Completeness::GuestLimit);
}

// What has no events is a limit.
TEST(GraphMachine, DifferentSizesAreALimit) {
  const CProgram program(litmus({"st((_Atomic char*)&x,1,R)", "ld(&x,R)"}));
  EXPECT_EQ(graphs(program, MemoryModel::Rc11).result.completeness, Completeness::GuestLimit);
}

// Nothing is performed that the state does not enable, wherever the limit is reached: in a revisit, between the halves
// of a wait, or where a state is matched.
TEST(GraphMachine, ASearchMayBeStoppedAnywhere) {
  const auto both = [](const std::string& one, const std::string& other) {
    return "pthread_mutex_lock(&" + one + "); while (pthread_mutex_trylock(&" + other + ")) { pthread_mutex_unlock(&" +
           one + "); pthread_mutex_lock(&" + one + "); } d++; pthread_mutex_unlock(&" + other +
           "); pthread_mutex_unlock(&" + one + ")";
  };
  const std::string waits = kLock + "if (!d++) pthread_cond_wait(&c, &m); else pthread_cond_signal(&c)" + kUnlock;
  const std::vector<std::vector<std::string>> programs = {
      {both("m", "k"), both("k", "m")}, {waits, waits}, {kAwait, kAwait, kLock + "d = 1" + kUnlock}};
  Task by_graphs, by_states, by_executions;
  by_graphs.mode = Mode::Graphs;
  by_graphs.rules.model = MemoryModel::Sc;
  by_graphs.machine.plain_accesses = machine::PlainAccesses::Visible;
  by_states.reductions.states_before_matching = 0;
  by_executions.reductions.states_before_matching = ~uint64_t{0};
  for (const std::vector<std::string>& threads : programs) {
    const CProgram program("#include <pthread.h>\npthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;\n" +
                           with_condition(threads));
    for (Task task : {by_graphs, by_states, by_executions}) {
      const uint64_t most = task.mode == Mode::Graphs ? 5'000 : 500;
      for (task.budget.states_max = 15; task.budget.states_max < most; task.budget.states_max += 16) {
        const Explored explored = run(program, task);
        if (explored.result.completeness == Completeness::Complete) break;
        EXPECT_EQ(explored.result.completeness, Completeness::ExecutionLimit);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::explore
