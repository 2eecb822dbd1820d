// The objects whose orders an edit can affect.
#include <set>

#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

using Names = std::set<std::string>;

struct Outcome {
  Names names;
  bool everything = false;
  std::string text;
};

Outcome relevant(const std::string& program, const Replacements& replacements) {
  const TwoVersions e = edit(program, replacements);
  const Relevant r = relevant_objects(*e.after, e.impact);
  Outcome outcome{{}, r.everything, e.text};
  for (uint32_t o = 0; o < r.objects.size(); ++o)
    if (r.objects[o]) outcome.names.insert(e.after->objects[o].name);
  for (const std::string& reason : r.reasons) outcome.text += reason + "\n";
  return outcome;
}

const std::string kTwoGroups = R"(
int left, left_done; pthread_mutex_t left_lock = PTHREAD_MUTEX_INITIALIZER;
int right, right_copy; pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER;
void *left_one(void *p) { pthread_mutex_lock(&left_lock); left++; left_done = 1; pthread_mutex_unlock(&left_lock); return p; }
void *left_two(void *p) { pthread_mutex_lock(&left_lock); if (left_done) left = 5; pthread_mutex_unlock(&left_lock); return p; }
void *right_one(void *p) { pthread_mutex_lock(&right_lock); right++; pthread_mutex_unlock(&right_lock); return p; }
void *right_two(void *p) { pthread_mutex_lock(&right_lock); right_copy = right; pthread_mutex_unlock(&right_lock); return p; }
int main(void) {
  pthread_t a, b, c, d;
  pthread_create(&a, 0, left_one, 0);
  pthread_create(&b, 0, left_two, 0);
  pthread_create(&c, 0, right_one, 0);
  pthread_create(&d, 0, right_two, 0);
  pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0); pthread_join(d, 0);
  assert(left < 10);
  assert(right + right_copy < 10);
}
)";

TEST(Relevant, UnrelatedGroupsStaySeparate) {
  const Outcome left = relevant(kTwoGroups, {{"left = 5", "left = 6"}});
  EXPECT_EQ(left.names, (Names{"left", "left_done", "left_lock"})) << left.text;
  EXPECT_FALSE(left.everything);
  const Outcome right = relevant(kTwoGroups, {{"right++", "right += 2"}});
  EXPECT_EQ(right.names, (Names{"right", "right_copy", "right_lock"})) << right.text;
}

TEST(Relevant, DroppedLockMakesWhatItGuardedRelevant) {
  const Outcome r = relevant(
      kTwoGroups, {{"{ pthread_mutex_lock(&right_lock); right++; pthread_mutex_unlock(&right_lock);", "{ right++;"}});
  EXPECT_EQ(r.names, (Names{"right", "right_copy", "right_lock"})) << r.text;
}

// What a helper locks belongs to its callers: of two that use it with different locks, each for itself.
TEST(Relevant, ADroppedCallThatLocksMakesWhatItGuardedRelevant) {
  const std::string groups =
      replace(kTwoGroups, {{"pthread_mutex_lock(&right_lock); right++;", "take(&right_lock); right++;"}});
  const size_t at = groups.find("void *");
  const Outcome r = relevant(
      groups.substr(0, at) + "static void take(pthread_mutex_t *m) { pthread_mutex_lock(m); }\n" + groups.substr(at),
      {{"take(&right_lock); right++;", "right++;"}});
  EXPECT_TRUE(std::count(r.names.begin(), r.names.end(), "right")) << r.text;
}

TEST(Relevant, ADroppedCallThatOnlyFencesMakesWhatItsThreadTouchesRelevant) {
  const Outcome r = relevant(R"(
int data, other; atomic_int flag;
static void publish(void) { atomic_thread_fence(memory_order_release); }
static void deep(void) { publish(); }
void *one(void *p) { data = 1; deep(); atomic_store_explicit(&flag, 1, memory_order_relaxed); return p; }
void *two(void *p) { if (atomic_load_explicit(&flag, memory_order_acquire)) data = 2; return p; }
void *three(void *p) { atomic_thread_fence(memory_order_seq_cst); other = 2; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); pthread_join(t, 0); })",
                             {{"deep(); ", ""}});
  EXPECT_EQ(r.names, (Names{"data", "flag"})) << r.text;
}

TEST(Relevant, ADroppedCallThatEndsTheProcessMakesAllRelevant) {
  const Outcome r = relevant(R"(
int data; atomic_int flag;
static void leave(void) { exit(0); }
void *one(void *p) { data = 1; flag++; return p; }
int main(void) { pthread_t t; flag = 1; leave(); pthread_create(&t, 0, one, 0); pthread_create(&t, 0, one, 0); pthread_join(t, 0); })",
                             {{"leave(); ", ""}});
  EXPECT_TRUE(r.everything) << r.text;
}

TEST(Relevant, ACheckOfBothJoinsThem) {
  const Outcome r = relevant(kTwoGroups, {{"assert(left < 10);", "assert(left < right + 10);"}});
  EXPECT_TRUE(r.everything) << r.text;
}

TEST(Relevant, TheInsertedAssertionReachesBackToTheWrites) {
  // The smallest miss of step 1: T2 has to run before the increment.
  const Outcome r = relevant(R"(
int x, other;
void *one(void *p) { x++; return p; }
void *two(void *p) { x = 2; other = 1; return p; }
void *three(void *p) { other = 2; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); pthread_join(t, 0); })",
                             {{"x++;", "x++; assert(x != 3);"}});
  EXPECT_EQ(r.names, (Names{"x"})) << r.text;
}

TEST(Relevant, ThroughHelpersResultsAndPrivateMemory) {
  const Outcome r = relevant(R"(
int source, target, apart;
static int fetch(void) { return source; }
static void put(int *cell, int value) { *cell = value; }
void *one(void *p) { int cell[2]; put(&cell[1], fetch()); if (cell[1] > 2) target = 1; return p; }
void *two(void *p) { source = 3; apart = 1; return p; }
void *three(void *p) { printf("%d", target); apart = 2; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); pthread_join(t, 0); })",
                             {{"source = 3", "source = 4"}});
  EXPECT_EQ(r.names, (Names{"source", "target"})) << r.text;
}

TEST(Relevant, ConditionsAroundCallsAndThreads) {
  const Outcome r = relevant(R"(
int gate, inner, started, apart;
static void work(void) { inner++; }
void *child(void *p) { started++; return p; }
void *one(void *p) { if (gate) { work(); pthread_t t; pthread_create(&t, 0, child, 0); } return p; }
void *two(void *p) { gate = 1; inner = 2; apart = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); started = 1; apart = 3; })",
                             {{"gate = 1", "gate = 2"}});
  EXPECT_EQ(r.names, (Names{"gate", "inner", "started"})) << r.text;
}

TEST(Relevant, LoopsThatSharedValuesKeepGoing) {
  const Outcome r = relevant(R"(
atomic_int ready; int data, apart;
void *one(void *p) { data = 1; atomic_store(&ready, 1); apart = 1; return p; }
void *two(void *p) { while (!atomic_load(&ready)) {} printf("%d", data); return p; }
void *three(void *p) { apart = 2; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); })",
                             {{"data = 1", "data = 2"}});
  EXPECT_EQ(r.names, (Names{"data", "ready"})) << r.text;
}

TEST(Relevant, NestedLocksAndConditionVariables) {
  const Outcome r = relevant(R"(
int value, ready, apart; pthread_mutex_t m, outer, lonely; pthread_cond_t c;
void *one(void *p) { pthread_mutex_lock(&outer); pthread_mutex_lock(&m); value = 1; ready = 1; pthread_cond_signal(&c);
  pthread_mutex_unlock(&m); pthread_mutex_unlock(&outer); return p; }
void *two(void *p) { pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); printf("%d", value); pthread_mutex_unlock(&m); return p; }
void *three(void *p) { pthread_mutex_lock(&lonely); apart++; pthread_mutex_unlock(&lonely); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); pthread_create(&t, 0, three, 0); })",
                             {{"value = 1", "value = 2"}});
  EXPECT_EQ(r.names, (Names{"value", "ready", "m", "outer", "c"})) << r.text;
}

// What decides that a function is called decides what it does, also when another calls it in between.
TEST(Relevant, WhetherTheCallerRunsDecidesWhatIsCalled) {
  const Outcome r = relevant(R"(
int gate, inner, apart;
static void deep(void) { inner++; }
static void work(void) { deep(); }
void *one(void *p) { if (gate) work(); return p; }
void *two(void *p) { gate = 1; apart = 1; return p; }
void *three(void *p) { printf("%d", inner); apart = 2; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); })",
                             {{"inner++", "inner += 2"}});
  EXPECT_EQ(r.names, (Names{"gate", "inner"})) << r.text;
}

// A loop that shared values keep going decides when, and whether, the functions called behind it run.
TEST(Relevant, LoopsBeforeACallDecideWhatItDoes) {
  const Outcome r = relevant(R"(
atomic_int ready; int data, apart;
static void use(void) { printf("%d", data); }
void *one(void *p) { data = 1; atomic_store(&ready, 1); apart = 1; return p; }
void *two(void *p) { while (!atomic_load(&ready)) {} use(); return p; }
void *three(void *p) { apart = 2; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); })",
                             {{"data = 1", "data = 2"}});
  EXPECT_EQ(r.names, (Names{"data", "ready"})) << r.text;
}

TEST(Relevant, WhatAThreadReturnsReachesWhoeverJoinsIt) {
  const Outcome r = relevant(R"(
int source, target, apart;
void *one(void *p) { return source ? p : (void *)1; }
void *two(void *p) { source = 1; apart = 1; return p; }
void *three(void *p) { printf("%d", target); apart = 2; return p; }
int main(void) { pthread_t s, t; void *result; pthread_create(&t, 0, three, 0); pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0);
  pthread_join(s, &result); if (result) target = 1; })",
                             {{"target = 1", "target = 2"}});
  EXPECT_EQ(r.names, (Names{"source", "target"})) << r.text;
}

TEST(Relevant, LocksTakenUnderALockOfInterest) {
  const Outcome r = relevant(R"(
int value, apart; pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER, lonely = PTHREAD_MUTEX_INITIALIZER;
void *one(void *p) { pthread_mutex_lock(&outer); value = 1; pthread_mutex_lock(&inner); pthread_mutex_unlock(&inner); pthread_mutex_unlock(&outer); return p; }
void *two(void *p) { pthread_mutex_lock(&outer); value++; pthread_mutex_unlock(&outer); return p; }
void *three(void *p) { pthread_mutex_lock(&lonely); apart++; pthread_mutex_unlock(&lonely); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); pthread_create(&t, 0, three, 0); })",
                             {{"value = 1", "value = 2"}});
  EXPECT_EQ(r.names, (Names{"value", "outer", "inner"})) << r.text;
}

// Whoever waits takes the mutex again, also if it was never his.
TEST(Relevant, AConditionConcernsItsMutex) {
  const Outcome r = relevant(R"(
int value, apart; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, lonely = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *one(void *p) { value = 1; pthread_cond_signal(&c); return p; }
void *two(void *p) { pthread_cond_wait(&c, &m); return value ? p : 0; }
void *three(void *p) { pthread_mutex_lock(&lonely); apart++; pthread_mutex_unlock(&lonely); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); pthread_create(&t, 0, three, 0); })",
                             {{"value = 1", "value = 2"}});
  EXPECT_EQ(r.names, (Names{"value", "m", "c"})) << r.text;
}

// What two threads wait for each other with orders all that both of them use.
TEST(Relevant, ASemaphoreOrdersWhatItsThreadsUse) {
  const Outcome r = relevant(R"(
int value, apart; sem_t s;
void *one(void *p) { value = 1; sem_post(&s); return p; }
void *two(void *p) { sem_wait(&s); printf("%d", value); return p; }
void *three(void *p) { apart++; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); pthread_create(&t, 0, three, 0); })",
                             {{"value = 1", "value = 2"}});
  EXPECT_EQ(r.names, (Names{"value", "s"})) << r.text;
}

TEST(Relevant, EarlyExitConcernsEverything) {
  const Outcome r = relevant(R"(
int x, y;
void *one(void *p) { if (x == 3) exit(1); return p; }
void *two(void *p) { x = 1; y = 1; return p; }
void *three(void *p) { y = 2; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, one, 0); pthread_create(&t, 0, two, 0); pthread_create(&t, 0, three, 0); pthread_join(t, 0); })",
                             {{"x = 1", "x = 2"}});
  EXPECT_TRUE(r.everything) << r.text;
}

TEST(Relevant, FieldsOfOneStructStaySeparate) {
  const Outcome r = relevant(R"(
struct side { pthread_mutex_t lock; int value; };
struct both { struct side left, right; } both;
static void bump(struct side *s) { pthread_mutex_lock(&s->lock); s->value++; pthread_mutex_unlock(&s->lock); }
void *left_one(void *p) { struct both *b = p; pthread_mutex_lock(&b->left.lock); b->left.value = 1; pthread_mutex_unlock(&b->left.lock); return p; }
void *left_two(void *p) { struct both *b = p; bump(&b->left); return p; }
void *right(void *p) { struct both *b = p; pthread_mutex_lock(&b->right.lock); b->right.value++; pthread_mutex_unlock(&b->right.lock); return p; }
int main(void) { pthread_t t; pthread_mutex_init(&both.left.lock, 0); pthread_mutex_init(&both.right.lock, 0);
  pthread_create(&t, 0, left_one, &both); pthread_create(&t, 0, left_two, &both);
  pthread_create(&t, 0, right, &both); pthread_create(&t, 0, right, &both); pthread_join(t, 0); })",
                             {{"left.value = 1", "left.value = 2"}});
  EXPECT_EQ(r.names, (Names{"both.left.value", "both.left.lock"})) << r.text;
}

TEST(Relevant, NoChangeNothingRelevant) {
  const Outcome r = relevant(kTwoGroups, {{"int left,", "int /* sum */ left,"}});
  EXPECT_TRUE(r.names.empty());
  EXPECT_FALSE(r.everything);
}

}  // namespace
}  // namespace heddle::edit
