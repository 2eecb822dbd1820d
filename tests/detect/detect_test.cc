// Findings on C programs: rule, words, places, identity, trace.
#include <gtest/gtest.h>

#include "tests/explore/c_program.h"

namespace heddle::detect {
namespace {

using explore::CProgram;
using explore::Explored;
using explore::run_full;

const std::string kHead = R"(
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
)";

Explored explored(const std::string& text) { return run_full(CProgram(kHead + text)); }

uint32_t line_of(const std::string& text, const std::string& marker) {
  const std::string all = kHead + text;
  return static_cast<uint32_t>(
             std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.find(marker)), '\n')) +
         1;
}

TEST(Schedule, TextAndBack) {
  const Schedule schedule = {{machine::ThreadId(0), 0},
                             {machine::ThreadId(0), 0},
                             {machine::ThreadId(1), 0},
                             {machine::ThreadId(2), 1},
                             {machine::ThreadId(0), 0}};
  EXPECT_EQ(print(schedule), "0*2 1 2:1 0");
  EXPECT_EQ(read_schedule(print(schedule)), schedule);
  EXPECT_EQ(read_schedule(" 0*2  1 "),
            (Schedule{{machine::ThreadId(0), 0}, {machine::ThreadId(0), 0}, {machine::ThreadId(1), 0}}));
  EXPECT_EQ(read_schedule(""), Schedule{});
  for (const char* bad : {"a", "0 x", "1:", "1*", "1*0", "-1", "1,2", "0*99999999999", "2*48888888"}) {
    EXPECT_FALSE(read_schedule(bad).has_value()) << bad;
  }
}

TEST(Rules, EveryFaultHasOneOrIsALimit) {
  EXPECT_EQ(rule_of(machine::FaultKind::DataRace), "data-race");
  EXPECT_TRUE(is_limit(machine::FaultKind::UnknownExternal));
  EXPECT_FALSE(is_limit(machine::FaultKind::Leak));
}

const std::string kRace = R"(
static int counter;
static void *worker(void *arg) {
  counter = 1;  // write
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int seen = counter;  // read
  pthread_join(t, 0);
  return seen > 1;
}
)";

TEST(DataRace, WordsAndPlaces) {
  const Explored all = explored(kRace);
  ASSERT_EQ(all.findings.size(), 1u);
  const Finding& race = all.findings[0];
  EXPECT_EQ(race.rule, "data-race");
  EXPECT_EQ(race.message.rfind("data race on 'counter': ", 0), 0u) << race.message;
  EXPECT_NE(race.message.find("worker"), std::string::npos) << race.message;
  ASSERT_EQ(race.places.size(), 2u);
  std::set<uint32_t> lines = {race.places[0].line, race.places[1].line};
  EXPECT_EQ(lines, (std::set<uint32_t>{line_of(kRace, "// write"), line_of(kRace, "// read")}));
  uint32_t decisive = 0;
  for (const TraceStep& step : race.trace) decisive += step.decisive;
  EXPECT_GE(decisive, 2u);
  EXPECT_EQ(race.id.size(), 12u);
}

TEST(Identity, HoldsOverMovedLinesAndMoreThreads) {
  const std::string id = explored(kRace).findings[0].id;
  EXPECT_EQ(explored("\n\n/* moved */\nstatic int other;\n" + kRace).findings[0].id, id);
  std::string renamed = kRace;
  renamed.replace(renamed.find("counter"), 7, "tally");
  while (renamed.find("counter") != std::string::npos) renamed.replace(renamed.find("counter"), 7, "tally");
  EXPECT_NE(explored(renamed).findings[0].id, id);
}

TEST(Deadlock, EveryLineAndWhereTheLocksWereTaken) {
  const std::string text = R"(
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
  pthread_mutex_lock(&b);  // first of worker
  pthread_mutex_lock(&a);  // second of worker
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&a);  // first of main
  pthread_mutex_lock(&b);  // second of main
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  return 0;
}
)";
  const Explored all = explored(text);
  ASSERT_EQ(all.findings.size(), 1u);
  const Finding& found = all.findings[0];
  EXPECT_EQ(found.rule, "deadlock");
  EXPECT_EQ(found.message,
            "deadlock: main waits for mutex 'b' held by worker 1, which waits for mutex 'a' held by main");
  std::set<uint32_t> lines;
  for (const SourcePlace& place : found.places) lines.insert(place.line);
  for (const char* marker : {"// first of worker", "// second of worker", "// first of main", "// second of main"}) {
    EXPECT_TRUE(lines.count(line_of(text, marker))) << marker;
  }
  ASSERT_FALSE(found.trace.empty());
  EXPECT_TRUE(found.trace.back().decisive);
  EXPECT_FALSE(found.without_interleaving);
}

const std::string kWrappers = R"(
struct lock { pthread_mutex_t m; int depth; };
static void lock(struct lock *l) { pthread_mutex_lock(&l->m); l->depth++; }  // in lock
static void unlock(struct lock *l) { l->depth--; pthread_mutex_unlock(&l->m); }
static struct lock a = {PTHREAD_MUTEX_INITIALIZER, 0}, b = {PTHREAD_MUTEX_INITIALIZER, 0};
static void take_b(void) { lock(&b); }
static void checked(struct lock *l) { if (pthread_mutex_trylock(&l->m) != 0 && pthread_mutex_lock(&l->m) != 0) abort(); }
)";

std::set<std::pair<std::string, uint32_t>> functions_and_lines(const Finding& finding) {
  std::set<std::pair<std::string, uint32_t>> out;
  for (const SourcePlace& place : finding.places) out.insert({place.function, place.line});
  return out;
}

// What a wrapper does says nothing: who calls it does, over any number of them.
TEST(Deadlock, NamesTheCallersOfWrappers) {
  const std::string text = kWrappers + R"(
static void *worker(void *arg) {
  take_b();  // first of worker
  lock(&a);  // second of worker
  unlock(&a);
  unlock(&b);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  lock(&a);     // first of main
  checked(&b);  // second of main
  unlock(&b); unlock(&a);
  pthread_join(t, 0);
  return 0;
}
)";
  const Explored all = explored(text);
  ASSERT_EQ(all.rules(), std::set<std::string>{"deadlock"});
  for (const Finding& found : all.findings) {
    const auto line = [&](const char* marker) { return line_of(text, marker); };
    EXPECT_EQ(functions_and_lines(found),
              (std::set<std::pair<std::string, uint32_t>>{{"worker", line("// first of worker")},
                                                          {"worker", line("// second of worker")},
                                                          {"main", line("// first of main")},
                                                          {"main", line("// second of main")}}));
    EXPECT_NE(found.places[0].role.find(" in checked ("), std::string::npos) << found.places[0].role;
    uint32_t decisive = 0, in_lock = 0;
    for (const TraceStep& step : found.trace) {
      decisive += step.decisive;
      in_lock += step.decisive && step.place.line == line_of(text, "// in lock");
    }
    EXPECT_EQ(decisive, 4u);
    EXPECT_EQ(in_lock, 0u);
  }
}

TEST(Deadlock, OfItselfNamesTheCallersOfWrappers) {
  const std::string text = kWrappers + R"(
static void print(void) { lock(&a); unlock(&a); }  // again
int main(void) { lock(&a); print(); unlock(&a); return 0; }  // first
)";
  const Explored all = explored(text);
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(functions_and_lines(all.findings[0]),
            (std::set<std::pair<std::string, uint32_t>>{{"print", line_of(text, "// again")},
                                                        {"main", line_of(text, "// first")}}));
}

// pthread_once calls no wrapper: its initialiser forgot to release what it took.
TEST(Deadlock, OfAnInitialiserIsNotItsCallers) {
  const std::string text = kWrappers + R"(
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make(void) { lock(&a); }  // forgotten
int main(void) { pthread_once(&once, make); lock(&a); unlock(&a); return 0; }  // again
)";
  const Explored all = explored(text);
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(functions_and_lines(all.findings[0]),
            (std::set<std::pair<std::string, uint32_t>>{{"make", line_of(text, "// forgotten")},
                                                        {"main", line_of(text, "// again")}}));
}

// A function that releases what it takes, or does more than that, is no wrapper.
TEST(Deadlock, OfAFunctionThatDoesMoreIsNotItsCallers) {
  const std::string text = kWrappers + R"(
static void both(struct lock *x, struct lock *y) { lock(x); lock(y); unlock(y); unlock(x); }  // both
static void *worker(void *arg) { both(&b, &a); return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  both(&a, &b);
  pthread_join(t, 0);
  return 0;
}
)";
  const Explored all = explored(text);
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(functions_and_lines(all.findings[0]),
            (std::set<std::pair<std::string, uint32_t>>{{"both", line_of(text, "// both")}}));
}

TEST(Deadlock, ACycleWhileOthersCouldRunAndAJoinedOneAreTheSame) {
  const std::string text = R"(
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&a);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
)";
  const Explored all = explored(text);
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(all.findings[0].rule, "deadlock");
  EXPECT_NE(all.findings[0].message.find("holds itself"), std::string::npos) << all.findings[0].message;
}

// Each reader is a deadlock of its own with the writer, told whoever waits first, and while others go on.
TEST(Deadlock, AWriterWaitsForEveryReader) {
  const std::string text = R"(
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *writer(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_rwlock_wrlock(&table);
  pthread_rwlock_unlock(&table);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}
static void *reader(void *arg) {
  pthread_rwlock_rdlock(&table);
  pthread_mutex_lock(arg);
  pthread_mutex_unlock(arg);
  pthread_rwlock_unlock(&table);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, &a);
  pthread_create(&t, 0, writer, 0);
  pthread_create(&t, 0, reader, &b);
  exit(0);
}
)";
  std::set<std::string> messages;
  for (const Finding& finding : explored(text).findings)
    if (finding.rule == "deadlock") messages.insert(finding.message);
  const std::string writer = "which waits for rwlock 'table' held by ";
  EXPECT_EQ(messages,
            (std::set<std::string>{"deadlock: worker 1 waits for mutex 'a' held by worker 2, " + writer + "worker 1",
                                   "deadlock: worker 2 waits for rwlock 'table' held by worker 3, which waits "
                                   "for mutex 'b' held by worker 2"}));
}

TEST(LostSignal, SignalBeforeTheWait) {
  const Explored all = explored(R"(
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&ready, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
)");
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(all.findings[0].rule, "lost-signal");
  EXPECT_NE(all.findings[0].message.find("the signal came before the wait"), std::string::npos);
}

TEST(LostSignal, NobodySignals) {
  const Explored all = explored(R"(
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&ready, &m);
  return 0;
}
)");
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(all.findings[0].rule, "lost-signal");
  EXPECT_NE(all.findings[0].message.find("no thread signals it"), std::string::npos);
}

TEST(Livelock, OnlySpinnersAreLeft) {
  const Explored all = explored(R"(
static atomic_int flag;
static void *worker(void *arg) { while (!flag) { } return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  return 0;
}
)");
  EXPECT_EQ(all.rules(), std::set<std::string>{"livelock"});
}

TEST(Semaphore, NeverPosted) {
  const Explored all = explored("int main(void) { sem_t s; sem_init(&s, 0, 0); sem_wait(&s); return 0; }");
  EXPECT_EQ(all.rules(), std::set<std::string>{"deadlock"});
}

TEST(Assertion, WithoutInterleaving) {
  const Explored all = explored("int main(int argc, char **argv) { assert(argc == 7); (void)argv; return 0; }");
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_EQ(all.findings[0].rule, "assertion");
  EXPECT_TRUE(all.findings[0].without_interleaving);
}

TEST(Trace, ValuesLocksAndSwitches) {
  const Explored all = explored(R"(
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  int old = balance;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  balance = old + 5;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, worker, 0);
  pthread_create(&t, 0, worker, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(balance == 20);
  return 0;
}
)");
  ASSERT_EQ(all.rules(), std::set<std::string>{"assertion"});
  const Finding& found = all.findings[0];
  bool value = false, locked = false, switched = false;
  std::string text;
  for (const TraceStep& step : found.trace) {
    text += step.thread + ": " + step.action + "\n";
    value |= step.action.find("balance = 15") != std::string::npos;
    locked |= !step.locks_held.empty();
    switched |= step.switched;
  }
  EXPECT_TRUE(value && locked && switched) << text;
  EXPECT_FALSE(found.without_interleaving);
}

TEST(Trace, AddressesAreOfSomethingAndBlocksAreFreed) {
  const Explored all = explored(R"(
static int *_Atomic shared; static int cells[4];
static void *worker(void *arg) { int *mine = malloc(4); *mine = 1; shared = mine; free(mine); return arg; }
int main(void) {
  shared = &cells[2];
  pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0);
  assert(*shared == 0);
}
)");
  ASSERT_EQ(all.findings.size(), 1u);
  std::string text;
  for (const TraceStep& step : all.findings[0].trace) text += step.action + "\n";
  EXPECT_NE(text.find("write shared = &cells[2]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("write shared = &malloc@"), std::string::npos) << text;
  EXPECT_NE(text.find("free malloc@"), std::string::npos) << text;
}

TEST(Trace, LongRunsAreFolded) {
  const Explored all = explored(R"(
static int data[100];
static void *worker(void *arg) {
  for (int round = 0; round < 20; round++) for (int i = 0; i < 100; i++) data[i]++;
  assert(data[0] != 20);
  return arg;
}
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return data[1] == 0; }
)");
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_LT(all.findings[0].trace.size(), 60u);
  bool folded = false;
  for (const TraceStep& step : all.findings[0].trace) folded |= step.action.rfind("... ", 0) == 0;
  EXPECT_TRUE(folded);
}

// A loop that waits for a variable: its rounds are one row, and the first and the last of them.
TEST(Trace, RoundsOfALoopAreFolded) {
  const Explored all = explored(R"(
static volatile int filled;
static void *worker(void *arg) { filled = 1; return arg; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); while (!filled) {} pthread_join(t, 0); return 0; }
)");
  ASSERT_EQ(all.rules(), std::set<std::string>{"data-race"});
  for (const Finding& race : all.findings) {
    EXPECT_LT(race.trace.size(), 12u);
    size_t decisive = 0;
    for (const TraceStep& step : race.trace) decisive += step.decisive;
    EXPECT_GE(decisive, 2u);
    EXPECT_LE(decisive, 4u);
  }
}

TEST(Trace, SmallRecordsHaveTheirFields) {
  const Explored all = explored(R"(
struct point { int x, y; };
static struct point shared, from = {1, 100};
static void *worker(void *arg) { shared = from; return arg; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); int x = shared.x; pthread_join(t, 0); return x > 1; }
)");
  ASSERT_EQ(all.rules(), std::set<std::string>{"data-race"});
  std::string text;
  for (const Finding& race : all.findings)
    for (const TraceStep& step : race.trace) text += step.action + "\n";
  EXPECT_NE(text.find("write shared = {1, 100}\n"), std::string::npos) << text;
}

TEST(Trace, ALeakShowsWhereThePointerWasWrittenOver) {
  const std::string text = R"(
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *kept[2];
static void keep(int *block) {
  pthread_mutex_lock(&m);
  kept[1] = block;  // over
  pthread_mutex_unlock(&m);
}
static void *worker(void *arg) { keep(malloc(4)); return arg; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, worker, 0); keep(malloc(4)); pthread_join(t, 0);
  free(kept[1]);
  return 0;
}
)";
  const Explored all = explored(text);
  ASSERT_EQ(all.rules(), std::set<std::string>{"leak"});
  for (const Finding& leak : all.findings) {
    ASSERT_EQ(leak.places.size(), 2u);
    EXPECT_EQ(leak.places[1].role, "writes over the pointer to it in 'kept[1]'");
    EXPECT_EQ(leak.places[1].line, line_of(text, "// over"));
    EXPECT_NE(leak.places[1].thread, leak.places[0].thread);  // the other's block
    const auto decisive = [](const TraceStep& step) { return step.decisive && step.kind == "write"; };
    EXPECT_EQ(std::count_if(leak.trace.begin(), leak.trace.end(), decisive), 1);
  }
}

TEST(DataRace, AtomicallyComesBehindWhatIsWritten) {
  const Explored all = explored(R"(
static int count;
static void *worker(void *arg) { __sync_fetch_and_add(&count, 1); return arg; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); int seen = count; pthread_join(t, 0); return seen > 1; }
)");
  ASSERT_EQ(all.findings.size(), 1u);
  EXPECT_NE(all.findings[0].message.find("writes it atomically"), std::string::npos) << all.findings[0].message;
}

}  // namespace
}  // namespace heddle::detect
