// One defect is one finding: what a data race leads to is told with it, other defects of the same program are not.
#include <algorithm>
#include <map>
#include <set>

#include "server/engine/settings/suppressions.h"
#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

class Defects : public ::testing::Test {
 protected:
  Answer check(const std::string& name, const std::string& text, bool full = false) {
    folder_.write(name, text);
    v1::CheckRequest request = request_for(folder_.file(name));
    request.set_full(full);
    Answer answer = engine_.check(request);
    EXPECT_TRUE(answer.final_verdict() != nullptr);
    return answer;
  }

  ProjectFolder folder_;
  EngineProcess engine_;
};

std::vector<v1::Finding> own(const Answer& answer) {
  std::vector<v1::Finding> result = answer.findings();
  std::erase_if(result, [](const v1::Finding& finding) { return finding.follows_from_size() > 0; });
  return result;
}

// "data-race 9 12": the rule and the lines of the places.
std::multiset<std::string> own_defects(const Answer& answer) {
  std::multiset<std::string> result;
  for (const v1::Finding& finding : own(answer)) {
    std::set<uint32_t> lines;
    for (const v1::Place& place : finding.places()) lines.insert(place.line());
    std::string text = finding.rule();
    for (const uint32_t line : lines) text += " " + std::to_string(line);
    result.insert(text);
  }
  return result;
}

// `count` is not guarded at all, `other` is, but not from its read to its write: whoever is interrupted in between may
// be so at `count`, which is not why the second assertion fails.
const char* kCounts = R"(#include <assert.h>
#include <pthread.h>
static int count, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *x) {
  pthread_mutex_lock(&m); int seen = other; pthread_mutex_unlock(&m);
  count++;
  pthread_mutex_lock(&m); other = seen + 1; pthread_mutex_unlock(&m);
  return x;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0); pthread_create(&b, 0, add, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(count == 2);
  assert(other == 2);
  return 0;
}
)";

TEST_F(Defects, WhatARaceLeadsToIsToldWithItAndWhatHappensWithoutItIsNot) {
  for (const bool full : {false, true}) {
    const Answer answer = check(full ? "full.c" : "counts.c", kCounts, full);
    EXPECT_EQ(answer.rules(), (std::vector<std::string>{"assertion", "assertion", "data-race"})) << answer.text();
    EXPECT_EQ(own_defects(answer), (std::multiset<std::string>{"assertion 16", "data-race 7"})) << answer.text();
    EXPECT_EQ(answer.final_verdict()->findings(), 3u);
    EXPECT_EQ(answer.final_verdict()->consequences(), 1u);
    for (const v1::Finding& finding : answer.findings())
      EXPECT_EQ(finding.follows_from_size() > 0, finding.places(0).line() == 15) << finding.message();
  }
}

// Found in either order: a race of free and use, and the use after the free.
TEST_F(Defects, AUseOfFreedMemoryIsItsRaceWithTheFree) {
  const Answer answer = check("free.c", R"(#include <pthread.h>
#include <stdlib.h>
static void *use(void *p) {
  *(int *)p = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  int *p = malloc(sizeof *p), *other = malloc(sizeof *other);
  pthread_create(&t, 0, use, p);
  free(p);
  pthread_join(t, 0);
  free(other);
  return *other;
}
)");
  EXPECT_EQ(own_defects(answer),
            (std::multiset<std::string>{"data-race 4 11", "use-after-free 4 9 11", "use-after-free 9 13 14"}));
  std::map<std::string, std::set<std::string>> rules;  // by group, as told last
  std::map<std::string, std::string> groups;
  for (const v1::Event& event : answer.events)
    if (event.has_finding()) groups[event.finding().id()] = event.finding().group();
  for (const v1::Finding& finding : answer.findings())
    rules[groups[finding.id()]].insert(finding.rule() + " " + std::to_string(finding.places(0).line()));
  EXPECT_EQ(rules.size(), 2u);
}

TEST_F(Defects, WhatASuppressedRaceLeadsToIsADefect) {
  std::string text = kCounts;
  text.insert(text.find("count++;") + 8, " // heddle: ignore[data-race] statistics only");
  const Answer answer = check("suppressed.c", text);
  EXPECT_EQ(answer.final_verdict()->suppressed(), 1u);
  EXPECT_EQ(answer.final_verdict()->consequences(), 0u);
  EXPECT_EQ(own_defects(answer), (std::multiset<std::string>{"assertion 15", "assertion 16", "data-race 7"}));
}

using Names = std::vector<std::string>;

// On what object, and between which threads, whatever their numbers are.
TEST(Suppressing, ByObjectAndByThreads) {
  v1::Finding finding;
  finding.set_rule("data-race");
  for (const char* thread : {"worker 2 (consume)", "main"}) finding.add_places()->set_thread(thread);
  finding.add_trace()->set_object("other");
  v1::TraceStep& step = *finding.add_trace();
  step.set_object("queue.items[3].count");
  step.set_decisive(true);
  const auto covered = [&](const std::string& object, const Names& threads) {
    SuppressionEntry entry;
    entry.settings = true;
    entry.rules = {"data-race"};
    entry.reason = "r";
    entry.object = object;
    entry.threads = threads;
    Suppressions all("2026-01-01");
    all.add(entry);
    all.apply(finding);
    return finding.has_suppressed();
  };
  for (const char* object : {"queue.items[3].count", "queue", "queue.items", "queue.items[3]"})
    EXPECT_TRUE(covered(object, {})) << object;
  for (const char* object : {"other", "que", "queue.item", "queue.items[3].count.more"})
    EXPECT_FALSE(covered(object, {})) << object;
  EXPECT_TRUE(covered("", {"main", "worker (consume)"}));
  EXPECT_TRUE(covered("queue", {"worker (consume)", "main"}));
  for (const Names& threads : {Names{"main"}, Names{"worker", "main"}, Names{"main", "worker (consume)", "third"}})
    EXPECT_FALSE(covered("", threads)) << threads.back();
  EXPECT_FALSE(covered("other", {"main", "worker (consume)"}));
}

// One of two threads goes without the lock, then the other one: the same race, which another edit is to blame for.
TEST_F(Defects, TheEditIsBlamedThatTheTextStillHas) {
  const auto blamed = [&](const std::string& put, const std::string& get) {
    const Answer answer =
        check("blame.c",
              "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int v, out;\n"
              "static void *put(void *p) {\n  " +
                  put + "\n  return p;\n}\nstatic void *get(void *p) {\n  " + get +
                  "\n  return p;\n}\nint main(void) {\n  pthread_t a, b;\n"
                  "  pthread_create(&a, 0, put, 0); pthread_create(&b, 0, get, 0);\n"
                  "  pthread_join(a, 0); pthread_join(b, 0);\n  return 0;\n}\n");
    std::string out;
    for (const v1::Finding& finding : answer.findings()) {
      if (finding.rule() != "data-race" || finding.edit().empty()) continue;
      const bool now = finding.edited_now() || finding.state() == v1::FINDING_NEW;
      out += finding.edit(0).kind() + " in " + finding.edit(0).function() + (now ? " now; " : " before; ");
    }
    return out;
  };
  const std::string lock = "pthread_mutex_lock(&m); ", unlock = " pthread_mutex_unlock(&m);";
  const std::string put = lock + "v = 1;" + unlock, get = lock + "out = v;" + unlock;
  EXPECT_EQ(blamed(put, get), "");
  EXPECT_EQ(blamed("v = 1;", get), "deleted in put now; ");
  EXPECT_EQ(blamed("v = 1;", lock + "out = v; out++;" + unlock), "deleted in put before; ");  // of another edit
  EXPECT_EQ(blamed(put, "out = v;"), "deleted in get now; ");
  EXPECT_EQ(blamed(put, "out = v; out++;"), "deleted in get before; ");
  EXPECT_EQ(blamed("while (pthread_mutex_trylock(&m)) {} v = 1;" + unlock, "out = v;"), "deleted in get before; ");
  EXPECT_EQ(blamed("v = 1;", get), "deleted in put before; ");  // a version that was checked before
}

TEST_F(Defects, AnEditMendsTheRaceAndWhatItLedTo) {
  check("mended.c", kCounts);
  std::string text = kCounts;
  text.replace(text.find("static int count"), 16, "static _Atomic int count");
  const Answer answer = check("mended.c", text);
  EXPECT_EQ(own_defects(answer), std::multiset<std::string>{"assertion 16"}) << answer.text();
  EXPECT_EQ(answer.fixed(), (std::vector<std::string>{"data-race", "assertion"})) << "the race first";
}

// Lines: the guarded access is in 9, the forgotten ones are in 11 and 12.
std::string container(const std::string& forgotten, const std::string& forgotten_too) {
  return R"(#include <cassert>
#include <mutex>
#include <thread>
#include <vector>
static std::mutex lock;
static std::vector<int> entries;
static void guarded() {
  std::lock_guard<std::mutex> guard(lock);
  entries.push_back(1);
}
static void forgot() { )" +
         forgotten + R"( }
static void forgot_too() { )" +
         forgotten_too + R"( }
int main() {
  entries.reserve(4);
  std::thread one(guarded), two(forgot), three(forgot_too);
  one.join();
  two.join();
  three.join();
  assert(entries.size() > 1);
}
)";
}
const char* const kLocked = "std::lock_guard<std::mutex> guard(lock); entries.push_back(2);";
const char* const kForgotten = "entries.push_back(3);";

TEST_F(Defects, AForgottenLockAroundAContainerIsOneForEachPairOfStatements) {
  const Answer one = check("one.cc", container(kForgotten, ""));
  EXPECT_EQ(own_defects(one), std::multiset<std::string>{"data-race 9 11"}) << one.text();
  EXPECT_GT(one.final_verdict()->consequences(), 0u) << one.text();
  const Answer two = check("two.cc", container(kForgotten, kLocked));
  EXPECT_EQ(own_defects(two), (std::multiset<std::string>{"data-race 11 12", "data-race 9 11"})) << two.text();
  EXPECT_GT(two.final_verdict()->consequences(), 0u) << two.text();
}

// The constructor, and the virtual table, are in another unit than the object.
TEST_F(Defects, ObjectsOfClassesAreNamedByTheirFields) {
  folder_.write("service.h",
                "struct Base { Base(); virtual ~Base(); int pad = 0, total = 0; };\n"
                "struct Service { Service(); int pad, count; };\n");
  folder_.write(
      "service.cc",
      "#include \"service.h\"\nBase::Base() {}\nBase::~Base() {}\nService::Service() : pad(0), count(0) {}\n");
  folder_.write("main.cc", R"(#include <pthread.h>
#include "service.h"
struct Both { Base base; Service service; };
static void *add(void *p) { auto *both = static_cast<Both *>(p); both->base.total++; both->service.count++; return p; }
int main() {
  Both both;
  pthread_t a, b;
  pthread_create(&a, nullptr, add, &both); pthread_create(&b, nullptr, add, &both);
  pthread_join(a, nullptr); pthread_join(b, nullptr);
}
)");
  v1::CheckRequest request = request_for(folder_.file("main.cc"));
  request.add_files(folder_.file("service.cc"));
  std::set<std::string> told;
  for (const v1::Finding& finding : engine_.check(request).findings())
    told.insert(finding.message().substr(0, finding.message().find(':')));
  EXPECT_EQ(told, (std::set<std::string>{"data race on 'both.base.total'", "data race on 'both.service.count'"}));
}

}  // namespace
}  // namespace heddle::engine::test
