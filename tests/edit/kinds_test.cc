// What edits are called: the kinds of edits of a small program in C, and of one in C++.
#include "tests/edit/edits.h"

namespace heddle::edit {
namespace {

const std::string kProgram = R"(
struct box { int value; };
struct box box = {1};
int total, limit = 7;
atomic_int ready;
static int used_by_one = 3;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int twice(int n) { return n * 2; }
static int thrice(int n) { return n * 3; }
static void add(int n) {
  pthread_mutex_lock(&a);
  total += n;
  pthread_cond_signal(&full);
  pthread_mutex_unlock(&a);
}
void *put(void *p) {
  int n = twice(5);
  if (n > 3) add(n);
  assert(n < 100);
  atomic_store(&ready, 1);
  return p;
}
void *get(void *p) {
  pthread_mutex_lock(&a);
  while (total < limit) pthread_cond_wait(&full, &a);
  box.value = total;
  pthread_mutex_unlock(&a);
  return p;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, put, 0);
  pthread_create(&two, 0, get, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  printf("%d %d\n", total + box.value, thrice(used_by_one));
  return 0;
}
)";

struct Case {
  std::string name;
  Replacements edit;
  std::vector<EditKind> kinds;
};

const std::vector<Case> kCases = {
    {"Comment", {{"int total,", "/* sum */ int total,"}}, {EditKind::NothingThatRuns}},
    {"RenameLocal", {{"twice(int n) { return n * 2", "twice(int m) { return m * 2"}}, {EditKind::NothingThatRuns}},
    {"LockDropped",
     {{"{\n  pthread_mutex_lock(&a);\n  total += n;", "{\n  total += n;"},
      {"full);\n  pthread_mutex_unlock(&a);", "full);"}},
     {EditKind::LockDropped}},
    {"UnlockDropped", {{"full);\n  pthread_mutex_unlock(&a);", "full);"}}, {EditKind::LockChanged}},
    {"LockAdded",
     {{"  atomic_store(&ready, 1);", "  pthread_mutex_lock(&b); atomic_store(&ready, 1); pthread_mutex_unlock(&b);"}},
     {EditKind::LockAdded}},
    {"OtherLock",
     {{"{\n  pthread_mutex_lock(&a);\n  total += n;", "{\n  pthread_mutex_lock(&b);\n  total += n;"}},
     {EditKind::LockChanged}},
    {"SignalDropped", {{"  pthread_cond_signal(&full);\n", ""}}, {EditKind::SignalDropped}},
    {"SignalToAll", {{"pthread_cond_signal", "pthread_cond_broadcast"}}, {EditKind::SignalChanged}},
    {"SignalAdded",
     {{"  atomic_store(&ready, 1);", "  atomic_store(&ready, 1); pthread_cond_signal(&full);"}},
     {EditKind::SignalAdded}},
    {"ThreadAdded",
     {{"pthread_t one, two;", "pthread_t one, two, three;\n  pthread_create(&three, 0, get, 0);"}},
     {EditKind::ThreadAdded}},
    {"ThreadDropped",
     {{"  pthread_create(&two, 0, get, 0);\n", ""}, {"  pthread_join(two, 0);\n", ""}},
     {EditKind::ThreadDropped, EditKind::ThreadChanged}},
    {"OtherThread", {{"&two, 0, get", "&two, 0, put"}}, {EditKind::ThreadChanged}},
    {"JoinDropped", {{"  pthread_join(two, 0);\n", ""}}, {EditKind::ThreadChanged}},
    {"AtomicOrder",
     {{"atomic_store(&ready, 1)", "atomic_store_explicit(&ready, 1, memory_order_relaxed)"}},
     {EditKind::OrderChanged}},
    {"Condition", {{"n > 3", "n > 4"}}, {EditKind::ConditionChanged}},
    {"LoopCondition", {{"total < limit", "total < limit - 1"}}, {EditKind::ConditionChanged}},
    {"WhileToIf", {{"while (total", "if (total"}}, {EditKind::ConditionChanged}},
    {"CallDropped", {{"  if (n > 3) add(n);\n", ""}}, {EditKind::CallDropped}},
    {"CallAdded", {{"  atomic_store(&ready, 1);", "  atomic_store(&ready, 1);\n  add(1);"}}, {EditKind::CallAdded}},
    {"OtherCallee", {{"int n = twice(5)", "int n = thrice(5)"}}, {EditKind::CallDropped, EditKind::CallAdded}},
    {"StatementDropped", {{"  box.value = total;\n", ""}}, {EditKind::StatementDropped}},
    {"StatementAdded",
     {{"  box.value = total;\n", "  box.value = total;\n  limit = 5;\n"}},
     {EditKind::StatementAdded}},
    {"StatementMoved",
     {{"  box.value = total;\n  pthread_mutex_unlock(&a);\n", "  pthread_mutex_unlock(&a);\n  box.value = total;\n"}},
     {EditKind::LockChanged}},
    {"Constant", {{"total += n", "total += n + 1"}}, {EditKind::ValueChanged}},
    {"Argument", {{"twice(5)", "twice(6)"}}, {EditKind::ValueChanged}},
    {"PrivateCode", {{"return n * 2", "return n * 4"}}, {EditKind::ValueChanged}},
    {"Assertion", {{"n < 100", "n < 99"}}, {EditKind::AssertionChanged}},
    {"AssertionAdded",
     {{"  box.value = total;", "  box.value = total;\n  assert(total < 9);"}},
     {EditKind::AssertionChanged}},
    {"InitialValue", {{"limit = 7", "limit = 8"}}, {EditKind::InitialValue}},
    {"PrivateInitialValue", {{"used_by_one = 3", "used_by_one = 4"}}, {EditKind::InitialValue}},
    {"Type",
     {{"struct box { int value; }", "struct box { long other; int value; }"}, {"box = {1}", "box = {0, 1}"}},
     {EditKind::TypeChanged}},
    {"Signature", {{"twice(int n)", "twice(int n, int unused)"}, {"twice(5)", "twice(5, 1)"}}, {EditKind::TypeChanged}},
    {"UnusedFunction", {{"int main", "int never(void) { return total++; }\nint main"}}, {EditKind::NothingThatRuns}},
    {"Two",
     {{"  pthread_cond_signal(&full);\n", ""}, {"n > 3", "n > 4"}},
     {EditKind::SignalDropped, EditKind::ConditionChanged}},
};

std::string text_of(const std::vector<EditKind>& kinds) {
  std::string text;
  for (EditKind kind : kinds) text += (text.empty() ? "" : ", ") + std::string(name_of(kind));
  return text;
}

class Kinds : public testing::TestWithParam<Case> {};

TEST_P(Kinds, Of) {
  const TwoVersions edited = edit(kProgram, GetParam().edit);
  EXPECT_EQ(text_of(edited.impact.kinds), text_of(GetParam().kinds)) << edited.text;
}

INSTANTIATE_TEST_SUITE_P(C, Kinds, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

const std::string kCxx = R"(
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
std::mutex m;
std::condition_variable full;
std::vector<int> list;
std::atomic<int> ready{0};
int total;
void put(int n) {
  {
    std::lock_guard<std::mutex> hold(m);
    list.push_back(n);
    total += n;
  }
  full.notify_one();
}
void get() {
  std::unique_lock<std::mutex> hold(m);
  full.wait(hold, [] { return total > 2; });
  ready.store(1);
}
int main() {
  std::vector<std::thread> threads;
  threads.emplace_back(put, 3);
  threads.emplace_back(get);
  for (auto &t : threads) t.join();
  return total;
}
)";

const std::vector<Case> kCxxCases = {
    {"LockDropped", {{"    std::lock_guard<std::mutex> hold(m);\n", ""}}, {EditKind::LockDropped}},
    {"LockAdded",
     {{"  full.notify_one();", "  std::lock_guard<std::mutex> hold(m);\n  full.notify_one();"}},
     {EditKind::LockAdded}},
    {"SignalDropped", {{"  full.notify_one();\n", ""}}, {EditKind::SignalDropped}},
    {"SignalToAll", {{"notify_one", "notify_all"}}, {EditKind::SignalDropped, EditKind::SignalAdded}},
    {"Condition", {{"total > 2", "total > 1"}}, {EditKind::ValueChanged}},
    {"ThreadAdded",
     {{"  threads.emplace_back(get);\n", "  threads.emplace_back(get);\n  threads.emplace_back(put, 4);\n"}},
     {EditKind::ThreadAdded}},
    {"ThreadDropped", {{"  threads.emplace_back(get);\n", ""}}, {EditKind::ThreadDropped}},
    {"Relaxed", {{"ready.store(1)", "ready.store(1, std::memory_order_relaxed)"}}, {EditKind::ValueChanged}},
    {"StatementAdded", {{"    total += n;", "    total += n;\n    list.push_back(n);"}}, {EditKind::StatementAdded}},
    {"Value", {{"total += n", "total += 2 * n"}}, {EditKind::ValueChanged}},
    {"Argument", {{"emplace_back(put, 3)", "emplace_back(put, 4)"}}, {EditKind::ValueChanged}},
};

class KindsInCxx : public testing::TestWithParam<Case> {};

TEST_P(KindsInCxx, Of) {
  static const analysis::FactsPtr before = analysis::analyse(test::program_of_cxx(kCxx));
  const auto after = analysis::analyse(test::program_of_cxx(replace(kCxx, GetParam().edit)));
  const Impact impact = compare(before, after);
  EXPECT_EQ(text_of(impact.kinds), text_of(GetParam().kinds)) << print(*after, impact);
}

INSTANTIATE_TEST_SUITE_P(All, KindsInCxx, testing::ValuesIn(kCxxCases),
                         [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

}  // namespace
}  // namespace heddle::edit
