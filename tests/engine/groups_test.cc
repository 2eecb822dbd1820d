// One defect, one finding: which races are told as one, over the checks of one history.
#include <gtest/gtest.h>

#include <algorithm>

#include "server/engine/target/defect_groups.h"
#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

const std::string kHead =
    "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";

std::string threads(const std::string& body) {
  return "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, worker, 0);\n" + body +
         "  pthread_join(t, 0);\n  return 0;\n}\n";
}

const std::string kQueue =
    kHead +
    "static struct { int items[4]; int count, head; } q;\n"
    "static void put(int v) {\n  LOCK\n  q.items[(q.head + q.count) % 4] = v;\n  q.count++;\n  UNLOCK\n}\n"
    "static int get(void) {\n  int v = -1;\n  pthread_mutex_lock(&m);\n"
    "  if (q.count > 0) {\n    v = q.items[q.head];\n    q.head = (q.head + 1) % 4;\n    q.count--;\n  }\n"
    "  pthread_mutex_unlock(&m);\n  return v;\n}\n"
    "static void *worker(void *x) { put(1); put(2); return x; }\n" +
    threads("  get();\n  get();\n");

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
  return text;
}

std::string locked(const std::string& text) {
  return replaced(replaced(text, "UNLOCK", "pthread_mutex_unlock(&m);"), "  LOCK", "  pthread_mutex_lock(&m);");
}
std::string unlocked(const std::string& text) { return replaced(replaced(text, "UNLOCK", ""), "  LOCK", "  "); }

class Groups : public ::testing::Test {
 protected:
  Answer check(const std::string& text) {
    folder_.write("a.c", text);
    return engine_.check(folder_.file("a.c"));
  }
  ProjectFolder folder_;
  EngineProcess engine_;
};

std::vector<v1::Finding> leaders(const Answer& answer) {
  std::vector<v1::Finding> out = answer.findings();
  std::erase_if(out, [](const v1::Finding& finding) { return is_led(finding); });
  return out;
}

uint32_t defects(const Answer& answer) {
  const v1::Verdict& verdict = *answer.final_verdict();
  const uint32_t counted = verdict.findings() - verdict.consequences() - verdict.grouped();
  EXPECT_EQ(counted, leaders(answer).size()) << answer.text();
  return counted;
}

TEST_F(Groups, OneMissingLockIsOneFinding) {
  const Answer answer = check(unlocked(kQueue));
  EXPECT_GE(answer.findings().size(), 3u) << "races on three members of the queue";
  EXPECT_EQ(defects(answer), 1u) << answer.text();
  for (const v1::Finding& finding : answer.findings()) EXPECT_EQ(finding.group(), leaders(answer)[0].id());
  EXPECT_EQ(answer.final_verdict()->introduced(), 1u);
}

TEST_F(Groups, OneWeakenedOrderIsOneFinding) {
  const Answer answer =
      check(kHead +
            "struct item { int a, b; };\nstatic struct item *ring[4];\nstatic atomic_int tail;\nstatic int head;\n"
            "static void *worker(void *x) {\n  for (int i = 0; i < 2; i++) {\n    struct item *p = malloc(sizeof *p);\n"
            "    p->a = i;\n    p->b = 2 * i;\n    ring[i] = p;\n"
            "    atomic_store_explicit(&tail, i + 1, memory_order_relaxed);\n  }\n  return x;\n}\n"
            "static int pop(void) {\n  if (atomic_load_explicit(&tail, memory_order_acquire) <= head) return -1;\n"
            "  struct item *p = ring[head++];\n  int r = p->a + p->b;\n  return r;\n}\n" +
            threads("  pop();\n  pop();\n"));
  EXPECT_GE(answer.findings().size(), 3u) << "the ring's slot and two members of an item";
  EXPECT_EQ(defects(answer), 1u) << answer.text();
}

// Two locks are missing, for two objects, in two functions: two errors.
TEST_F(Groups, TwoMissingLocksAreTwoFindings) {
  const Answer answer = check(kHead +
                              "static pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;\nstatic int a, b;\n"
                              "static void one(void) { a++; }\nstatic void two(void) { b++; }\n"
                              "static void *worker(void *x) { one(); two(); return x; }\n" +
                              threads("  pthread_mutex_lock(&m);\n  a++;\n  pthread_mutex_unlock(&m);\n"
                                      "  pthread_mutex_lock(&k);\n  b++;\n  pthread_mutex_unlock(&k);\n"));
  EXPECT_EQ(defects(answer), 2u) << answer.text();
}

// The same finding stands for the defect after an edit elsewhere, and one that the edit introduces is not behind it.
TEST_F(Groups, NewRacesAreNotBehindOldOnes) {
  const std::string text = unlocked(kQueue);
  const std::string leader = leaders(check(text))[0].id();
  const Answer moved = check("\n\n" + text);
  ASSERT_EQ(defects(moved), 1u);
  EXPECT_EQ(leaders(moved)[0].id(), leader);
  EXPECT_EQ(moved.final_verdict()->introduced(), 0u);
  const std::string more =
      replaced(replaced(text, "int count, head;", "int count, head, puts;"), "q.count++;", "q.count++;\n  q.puts++;");
  const Answer edited = check(replaced(more, "  return v;\n", "  v += q.puts;\n  return v;\n"));
  EXPECT_EQ(edited.final_verdict()->introduced(), 1u) << edited.text();
  const std::vector<v1::Finding> all = leaders(edited);
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& finding) { return finding.id() == leader; }));
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const v1::Finding& finding) {
    return finding.state() == v1::FINDING_NEW && finding.message().find("q.puts") != std::string::npos;
  })) << edited.text();
  EXPECT_EQ(defects(check(locked(kQueue))), 0u);
}

v1::Finding race(const std::string& id, const std::string& object, const std::vector<std::string>& locks) {
  v1::Finding finding;
  finding.set_rule("data-race");
  finding.set_id(id);
  for (uint32_t thread = 0; thread < 2; ++thread) {
    v1::Place& place = *finding.add_places();
    place.set_line(thread + 1);
    place.set_thread("t" + std::to_string(thread));
    place.set_function("f" + std::to_string(thread));
    v1::TraceStep& step = *finding.add_trace();
    step.set_thread(place.thread());
    step.set_thread_number(thread);
    step.set_decisive(true);
    step.set_object(object);
    *step.mutable_place() = place;
    if (thread == 1) step.mutable_locks_held()->Assign(locks.begin(), locks.end());
  }
  return finding;
}

TEST(RaceFacts, NameWhatIsMissing) {
  const RaceFacts facts = race_facts(race("a", "malloc@list.c:14+8", {"outer", "inner"}));
  EXPECT_EQ(facts.object, "malloc@list.c:14");
  EXPECT_EQ(facts.guards, std::set<std::string>{"inner"});
  EXPECT_EQ(facts.functions, std::set<std::string>{"f0"});
  EXPECT_EQ(race_facts(race("a", "pool.q[3].c", {})).object, "pool");
  EXPECT_EQ(race_facts(race("a", "x", {})).functions, (std::set<std::string>{"f0", "f1"}));
}

TEST(Regroup, WhoeverStoodForTheDefectGoesOnToDoSo) {
  std::vector<v1::Finding> findings = {race("a", "q.a", {}), race("b", "q.b", {}), race("c", "other", {"m"})};
  EXPECT_EQ(regroup(findings, {"b"}), (std::vector<size_t>{1, 2, 0}));
  EXPECT_EQ(findings[0].group(), "b");
  EXPECT_EQ(findings[1].group(), "b");
  EXPECT_EQ(findings[2].group(), "c");
  findings[1].mutable_suppressed()->set_reason("why");  // it stands for nothing then
  regroup(findings, {"b"});
  EXPECT_EQ(findings[0].group(), "a");
  EXPECT_EQ(findings[1].group(), "b");
}

// Three callers of one faulty line: three instances of a template, or calls from three functions, are one defect.
TEST_F(Groups, AFaultInEachInstanceIsOneDefect) {
  folder_.write("a.cc",
                "#include <cassert>\n#include <thread>\n"
                "template <typename T> void check(T value) { assert(value < 1); }\n"
                "int main() {\n  std::thread one([] { check(1); }), two([] { check(2L); });\n  check('c');\n"
                "  one.join();\n  two.join();\n}\n");
  Answer answer = engine_.check(folder_.file("a.cc"));
  EXPECT_EQ(answer.findings().size(), 3u) << answer.text();
  EXPECT_EQ(defects(answer), 1u);
  // A second line is a second defect.
  folder_.write(
      "b.cc",
      "#include <cassert>\n#include <thread>\n"
      "template <typename T> void check(T value) { assert(value < 1);\n  }\n"
      "int main() {\n  std::thread one([] { check(1); });\n  assert(one.joinable() == false);\n  one.join();\n}\n");
  answer = engine_.check(folder_.file("b.cc"));
  EXPECT_EQ(defects(answer), 2u) << answer.text();
}

}  // namespace
}  // namespace heddle::engine::test
