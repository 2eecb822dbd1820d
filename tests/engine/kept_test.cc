// Open findings over versions: settled, not confirmed, changed; versions with errors that end their paths as bases; what
// races lead to while somebody waits.
#include <algorithm>

#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

using Rules = std::vector<std::string>;

// Consequences of races never end in this time.
class Kept : public ::testing::Test {
 protected:
  Answer save(const std::string& text) {
    folder_.write("a.c", text);
    return engine_.check(folder_.file("a.c"));
  }
  static v1::VerdictKind kind(const Answer& answer) { return answer.final_verdict()->kind(); }
  static size_t searches_for_consequences(const Answer& answer) {
    size_t found = 0;
    for (const v1::Event& event : answer.events)
      found += event.has_verdict() && !event.target().empty() && event.verdict().step() == "step2";
    return found;
  }
  static bool says(const Answer& answer, const std::string& words) {
    return answer.text().find(words) != answer.text().npos;
  }

  ProjectFolder folder_;
  EngineProcess engine_{{{{"HEDDLE_CONSEQUENCES_SECONDS", "0.02"}, {"HEDDLE_BACKGROUND_SECONDS", "0.01"}}, 0}};
};

// Two workers and main; what they do to `first` and `second` is up to the test. `second` takes long to follow.
std::string program(const std::string& declarations, const std::string& work, const std::string& in_main) {
  return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
         "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" +
         declarations + "static void *worker(void *p) {\n" + work +
         "  for (int i = 0; i < 6; i++) { pthread_mutex_lock(&m); len++; pthread_mutex_unlock(&m); }\n  return p;\n}\n"
         "int main(void) {\n  pthread_t t, u;\n  int seen = 0;\n"
         "  pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0);\n"
         "  for (int i = 0; i < 6; i++) seen += len > i;\n" +
         in_main + "  pthread_join(t, 0); pthread_join(u, 0);\n  return seen > 20;\n}\n";
}

std::vector<std::string> subjects(const Answer& answer) {
  std::vector<std::string> out;
  for (const v1::Finding& finding : answer.findings()) {
    const size_t begin = finding.message().find('\'') + 1;
    out.push_back(finding.message().substr(begin, finding.message().find('\'', begin) - begin));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

TEST_F(Kept, AMendedRaceIsFixedWhileAnotherIsOpen) {
  EXPECT_EQ(kind(save(program("static atomic_int len, hits;\n", "  hits++;\n", ""))), v1::VERDICT_CLEAR);
  const Answer both = save(program("static int len, hits;\n", "  hits++;\n", ""));
  EXPECT_EQ(subjects(both), (std::vector<std::string>{"hits", "len"}));
  const Answer one = save(program("static int len; static atomic_int hits;\n", "  hits++;\n", ""));
  EXPECT_EQ(subjects(one), std::vector<std::string>{"len"}) << one.text();
  EXPECT_FALSE(one.fixed().empty());
  EXPECT_EQ(one.final_verdict()->not_confirmed(), 0u);
}

TEST_F(Kept, ARaceMendedByALockIsFixedWhileAnotherIsOpen) {
  save(program("static atomic_int len; static struct { _Atomic int a, b; } box;\n", "  box.b += 2;\n", ""));
  save(program("static int len; static struct { int a, b; } box;\n", "  box.b += 2;\n", ""));
  const Answer one = save(program("static int len; static struct { int a, b; } box;\n",
                                  "  pthread_mutex_lock(&m);\n  box.b += 2;\n  pthread_mutex_unlock(&m);\n", ""));
  EXPECT_EQ(subjects(one), std::vector<std::string>{"len"}) << one.text();
  EXPECT_FALSE(one.fixed().empty());
}

TEST_F(Kept, AMendedAssertionIsFixedWhileARaceIsOpen) {
  save(program("static atomic_int len, n;\n", "  n++;\n  assert(n != 3);\n", ""));
  const Answer both = save(program("static int len; static atomic_int n;\n", "  n++;\n  assert(n != 2);\n", ""));
  EXPECT_TRUE(says(both, "assertion")) << both.text();
  const Answer one = save(program("static int len; static atomic_int n;\n", "  n++;\n  assert(n != 4);\n", ""));
  EXPECT_EQ(subjects(one), std::vector<std::string>{"len"}) << one.text();
  const Rules fixed = one.fixed();
  EXPECT_TRUE(std::find(fixed.begin(), fixed.end(), "assertion") != fixed.end()) << one.text();
}

TEST_F(Kept, WhatRacesLeadToIsNotSearchedAgainForRacesOfWhichItDidNotEnd) {
  const Answer first = save(program("static int len;\n", "", ""));
  EXPECT_EQ(kind(first), v1::VERDICT_FINDINGS);
  EXPECT_EQ(searches_for_consequences(first), 1u);
  EXPECT_EQ(first.final_verdict()->scope().consequences(), v1::STEP_INCOMPLETE);
  EXPECT_TRUE(says(first, "`heddle full` searches it")) << first.text();
  EXPECT_FALSE(says(first, "after 0 interleavings")) << first.text();
  folder_.write("a.c", program("static int len; static atomic_int other;\n", "  other++;\n", ""));
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  const Answer second = engine_.check(request);
  EXPECT_EQ(second.final_verdict()->scope().consequences(), v1::STEP_INCOMPLETE);
  EXPECT_EQ(kind(second), v1::VERDICT_FINDINGS);
  size_t searched = 0;
  for (const v1::Event& event : second.events)
    searched += event.has_progress() && event.progress().phase() == "consequences";
  EXPECT_EQ(searched, 0u);
  EXPECT_FALSE(says(second, "compared with nothing")) << second.text();
}

// The race in main is at another statement of it, or is another operation.
class ChangedRace : public Kept, public ::testing::WithParamInterface<const char*> {};

TEST_P(ChangedRace, IsToldAsChanged) {
  const auto text = [](const std::string& statement) {
    return "#include <pthread.h>\n#include <string.h>\nstatic struct { int stop, n; } pool;\n"
           "static void *worker(void *p) {\n  pool.stop = 3;\n  return p;\n}\n"
           "int main(void) {\n  pthread_t t;\n  int seen = 0;\n  pthread_create(&t, 0, worker, 0);\n  " +
           statement + "\n  pthread_join(t, 0);\n  return seen * 0;\n}\n";
  };
  const Answer before = save(text("seen = pool.stop;"));
  ASSERT_EQ(before.rules(), Rules{"data-race"});
  const Answer after = save(text(GetParam()));
  ASSERT_EQ(after.rules(), Rules{"data-race"}) << after.text();
  ASSERT_NE(after.findings()[0].id(), before.findings()[0].id()) << "another identity, or it is no test";
  EXPECT_TRUE(after.fixed().empty()) << after.text();
  EXPECT_EQ(after.findings()[0].state(), v1::FINDING_CHANGED);
  EXPECT_EQ(after.findings()[0].replaces(), before.findings()[0].id());
  EXPECT_EQ(after.final_verdict()->not_confirmed(), 0u);
  EXPECT_EQ(save("// a comment\n" + text(GetParam())).findings()[0].state(), v1::FINDING_STILL_THERE);
}

INSTANTIATE_TEST_SUITE_P(Statements, ChangedRace,
                         ::testing::Values("memcpy(&seen, &pool.stop, sizeof seen);",
                                           "volatile int *at = &pool.stop; at += seen; seen = at[seen];",
                                           "__atomic_store_n(&pool.stop, 1, __ATOMIC_SEQ_CST);"));

// An old error that ends every path of one of its threads, beside code that is edited.
std::string with_old_error(const std::string& work, const std::string& error = "  assert(n != 1);\n") {
  return "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
         "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
         "static atomic_int n, first, second; static int shared, hidden;\n"
         "static void *old(void *p) {\n  n++;\n" +
         error +
         "  return p;\n}\n"
         "static void *one(void *p) {\n  pthread_mutex_lock(&m);\n  shared++;\n  pthread_mutex_unlock(&m);\n  first = "
         "1;\n  return p;\n}\n"
         "static void *two(void *p) {\n" +
         work +
         "  second = 1;\n  return p;\n}\n"
         "int main(void) {\n  pthread_t t[3];\n"
         "  pthread_create(&t[0], 0, one, 0); pthread_create(&t[1], 0, two, 0); pthread_create(&t[2], 0, old, 0);\n"
         "  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);\n  return 0;\n}\n";
}

const char* const kLockedWork = "  pthread_mutex_lock(&m);\n  shared++;\n  pthread_mutex_unlock(&m);\n";
const char* const kSuppressed = "  assert(n != 1);  // heddle: ignore[assertion] known\n";

struct OldError {
  const char* rule;
  const char* text;
};
class OldErrors : public Kept, public ::testing::WithParamInterface<OldError> {};

TEST_P(OldErrors, ThatEndTheirPathsDoNotMakeLaterSavesFirstChecks) {
  const auto [rule, error] = GetParam();
  ASSERT_EQ(save(with_old_error(kLockedWork, error)).rules(), Rules{rule});
  const Answer edited = save(with_old_error(std::string(kLockedWork) + "  first = 2;\n", error));
  EXPECT_EQ(edited.rules(), Rules{rule});
  EXPECT_EQ(edited.findings()[0].state(), v1::FINDING_STILL_THERE);
  EXPECT_FALSE(edited.diffed()->everything()) << edited.text();
  const Answer slip = save(with_old_error("  shared++;\n  first = 2;\n", error));
  Rules both = {rule, "data-race"};
  std::sort(both.begin(), both.end());
  EXPECT_EQ(slip.rules(), both) << slip.text();
  EXPECT_FALSE(slip.diffed()->everything());
  const Answer mended = save(with_old_error(std::string(kLockedWork) + "  first = 3;\n", error));
  EXPECT_EQ(mended.rules(), Rules{rule}) << mended.text();
  EXPECT_EQ(mended.fixed(), Rules{"data-race"});
  EXPECT_FALSE(mended.diffed()->everything()) << "compared with the version that had the old error alone";
}

INSTANTIATE_TEST_SUITE_P(Kinds, OldErrors,
                         ::testing::Values(OldError{"assertion", "  assert(n != 1);\n"},
                                           OldError{"lock-misuse",
                                                    "  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;\n"
                                                    "  pthread_mutex_lock(&own);\n"},
                                           OldError{"null-dereference",
                                                    "  int *none = n == 1 ? (int *)0 : &hidden;\n  *none = 1;\n"}));

TEST_F(Kept, ASuppressedErrorThatEndsItsPathIsSaidAsAnAssumption) {
  const Answer first = save(with_old_error(kLockedWork, kSuppressed));
  EXPECT_EQ(first.final_verdict()->suppressed(), 1u);
  const Answer edited = save(with_old_error(std::string(kLockedWork) + "  first = 2;\n", kSuppressed));
  EXPECT_FALSE(edited.diffed()->everything()) << edited.text();
  EXPECT_TRUE(says(edited, "after the suppressed assertion")) << edited.text();
  const Answer slip = save(with_old_error("  shared++;\n  first = 2;\n", kSuppressed));
  EXPECT_EQ(slip.final_verdict()->findings(), 1u) << slip.text();
  EXPECT_EQ(kind(slip), v1::VERDICT_FINDINGS);
}

// What an old error hid is looked at once the error is gone.
TEST_F(Kept, WhatAnErrorHidIsFoundWhenItIsMended) {
  const std::string race = "  hidden++;\n";
  ASSERT_EQ(save(with_old_error("  hidden++;\n", "  assert(n != 1);\n" + race)).rules(), Rules{"assertion"});
  const Answer beside = save(with_old_error("  hidden++;\n  first = 2;\n", "  assert(n != 1);\n" + race));
  EXPECT_EQ(beside.rules(), Rules{"assertion"});
  const Answer mended = save(with_old_error("  hidden++;\n  first = 2;\n", "  assert(n == 1);\n" + race));
  EXPECT_EQ(mended.rules(), Rules{"data-race"}) << mended.text();
}

TEST_F(Kept, NothingIsClearWhereEveryInterleavingEndsAtASuppressedError) {
  const auto text = [](const std::string& end) {
    return "#include <assert.h>\n#include <pthread.h>\nstatic int n;\n"
           "static void *work(void *p) { n++; return p; }\n"
           "int main(void) {\n  pthread_t t;\n"
           "  assert(n == 1);  // heddle: ignore[assertion] later\n"
           "  pthread_create(&t, 0, work, 0);\n  n++;\n  pthread_join(t, 0);\n" +
           end + "  return 0;\n}\n";
  };
  EXPECT_EQ(kind(save(text(""))), v1::VERDICT_INCONCLUSIVE);
  const Answer again = save(text("  n++;\n"));
  EXPECT_EQ(kind(again), v1::VERDICT_INCONCLUSIVE) << again.text();
  EXPECT_TRUE(says(again, "was never run")) << again.text();
  EXPECT_EQ(kind(save("// a line\n" + text("  n++;\n"))), v1::VERDICT_INCONCLUSIVE);
}

// Although the search of the version that has another function instead does not end.
// `from` is another word in the second text.
class Renaming : public Kept {
 protected:
  static std::string with(std::string text, const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    return text;
  }
};

const std::string kRace =
    "#include <pthread.h>\nstatic int count;\nstatic void *worker(void *p) { count++; return p; }\n"
    "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, worker, 0);\n  count++;\n  pthread_join(t, 0);\n"
    "  return 0;\n}\n";

TEST_F(Renaming, ARaceInARenamedFunctionIsTheSame) {
  EXPECT_EQ(save(kRace).findings().size(), 1u);
  const Answer renamed = save(with(kRace, "worker", "labourer"));
  ASSERT_EQ(renamed.findings().size(), 1u) << renamed.text();
  EXPECT_TRUE(renamed.fixed().empty()) << renamed.text();
  EXPECT_EQ(renamed.findings()[0].state(), v1::FINDING_CHANGED);
  EXPECT_EQ(save(with(kRace, "worker", "labourer") + "// a comment\n").findings()[0].state(), v1::FINDING_STILL_THERE);
}

TEST_F(Renaming, AnAssertionInARenamedFunctionIsTheSame) {
  const std::string text = "#include <assert.h>\n" + with(with(kRace, "count++; return", "assert(count == 0); return"),
                                                          "static int", "static _Atomic int");
  EXPECT_EQ(save(text).rules(), Rules{"assertion"});
  const Answer renamed = save(with(text, "worker", "labourer"));
  EXPECT_EQ(renamed.rules(), Rules{"assertion"}) << renamed.text();
  EXPECT_TRUE(renamed.fixed().empty()) << renamed.text();
}

TEST_F(Renaming, ADeadlockInARenamedFunctionIsTheSame) {
  const std::string text =
      "#include <pthread.h>\nstatic pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
      "static void both(pthread_mutex_t *x, pthread_mutex_t *y) {\n  pthread_mutex_lock(x);\n  pthread_mutex_lock(y);\n"
      "  pthread_mutex_unlock(y);\n  pthread_mutex_unlock(x);\n}\n"
      "static void *worker(void *p) { both(&b, &a); return p; }\nint main(void) {\n  pthread_t t;\n"
      "  pthread_create(&t, 0, worker, 0);\n  both(&a, &b);\n  pthread_join(t, 0);\n  return 0;\n}\n";
  EXPECT_EQ(save(text).rules(), Rules{"deadlock"});
  const Answer renamed = save(with(text, "both", "in_turn"));
  EXPECT_EQ(renamed.rules(), Rules{"deadlock"}) << renamed.text();
  EXPECT_TRUE(renamed.fixed().empty()) << renamed.text();
}

// The old function is gone, and another that was there before has the same race now: that one is new.
TEST_F(Renaming, AnotherFunctionIsAnotherError) {
  const std::string two = "static void *other(void *p) { return p; }\n";
  const auto text = [&](const std::string& other, const std::string& run) {
    return with(with(kRace, "static void *worker", other + "static void *worker"), "0, worker, 0", "0, " + run + ", 0");
  };
  EXPECT_EQ(save(text(two, "worker") + "void *keep = other;\n").findings().size(), 1u);
  const std::string race = with(two, "return p", "count++; return p");
  const std::string after = with(text(race, "other"), "static void *worker(void *p) { count++; return p; }\n", "");
  const Answer moved = save(after + "void *keep = other;\n");
  ASSERT_EQ(moved.findings().size(), 1u) << moved.text();
  EXPECT_EQ(moved.findings()[0].state(), v1::FINDING_NEW) << moved.text();
  EXPECT_EQ(moved.fixed(), Rules{"data-race"}) << moved.text();
}

TEST_F(Kept, AFindingIsGoneWithTheFunctionItWasIn) {
  const auto text = [](const std::string& name, int rounds) {
    return "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n; static int plain;\n"
           "static void *" +
           name +
           "(void *p) {\n  if (p == 0) plain++;\n"
           "  for (int i = 0; i < " +
           std::to_string(rounds) +
           "; i++) n = n * 3 + i;\n  return p;\n}\n"
           "int main(void) {\n  pthread_t t[4];\n  int p = 0;\n"
           "  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, " +
           name + ", " + (rounds > 0 ? "&p" : "0") +
           ");\n"
           "  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n  return p;\n}\n";
  };
  ASSERT_EQ(save(text("early", 0)).rules(), Rules{"data-race"});
  folder_.write("a.c", text("late", 30));
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_time_limit_seconds(1);
  const Answer later = engine_.check(request);
  EXPECT_EQ(kind(later), v1::VERDICT_INCONCLUSIVE);
  EXPECT_EQ(later.fixed(), Rules{"data-race"}) << later.text();
  EXPECT_EQ(later.final_verdict()->not_confirmed(), 0u);
}

// As does one that newly ends at another error.
TEST_F(Kept, AFindingBehindANewErrorIsNotConfirmedUntilThatIsMended) {
  const auto text = [](const std::string& first) {
    return "#include <assert.h>\n#include <pthread.h>\nstatic _Atomic int n;\n"
           "static void *worker(void *p) {\n  int at[2] = {0};\n  (void)at;\n" +
           first +
           "  n++;\n  assert(n != 2);\n  return p;\n}\nint main(void) {\n  pthread_t t, u;\n"
           "  pthread_create(&t, 0, worker, 0); pthread_create(&u, 0, worker, 0);\n"
           "  pthread_join(t, 0); pthread_join(u, 0);\n  return 0;\n}\n";
  };
  ASSERT_EQ(save(text("")).rules(), Rules{"assertion"});
  const Answer later = save(text("  if (n == 1) at[n + 1] = 1;\n"));
  EXPECT_EQ(later.fixed(), Rules{}) << later.text();
  const Answer mended = save(text("").replace(text("").find("!= 2"), 4, "!= 3"));
  EXPECT_EQ(kind(mended), v1::VERDICT_CLEAR) << mended.text();
  EXPECT_EQ(mended.fixed().size(), 2u) << mended.text();
}

// A path that newly ends at a limit may end in front of the error.
class BehindALimit : public Kept, public ::testing::WithParamInterface<const char*> {
 protected:
  static std::string text(const std::string& first) {
    return "#include <pthread.h>\n#include <stdlib.h>\nint unknown(void);\nstatic int hits;\n"
           "static void *worker(void *p) {\n  " +
           first +
           "\n  hits++;\n  return p;\n}\n"
           "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, worker, 0);\n  hits++;\n"
           "  pthread_join(t, 0);\n  return 0;\n}\n";
  }
};

TEST_P(BehindALimit, AFindingIsNotConfirmedUntilItIsMended) {
  ASSERT_EQ(save(text("")).rules(), Rules{"data-race"});
  const Answer later = save(text(GetParam()));
  EXPECT_EQ(kind(later), v1::VERDICT_INCONCLUSIVE) << later.text();
  EXPECT_EQ(later.fixed(), Rules{}) << later.text();
  EXPECT_EQ(later.final_verdict()->not_confirmed(), 1u) << later.text();
  const Answer mended = save("#define int _Atomic int\n" + text(""));
  EXPECT_EQ(mended.final_verdict()->not_confirmed(), 0u) << mended.text();
}

INSTANTIATE_TEST_SUITE_P(All, BehindALimit,
                         ::testing::Values("unknown();", "__asm__ volatile(\"cpuid\");", "while (malloc(100000)) {}"));

struct Used {
  const char* name;
  const char* work;   // of the worker
  const char* words;  // of the assumption; empty: none
};

class Assumed : public ::testing::TestWithParam<Used> {};

TEST_P(Assumed, IsSaidOnceAndOnlyIfItWasUsed) {
  ProjectFolder folder;
  EngineProcess engine;
  const auto text = [&](const std::string& more) {
    return std::string(
               "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
               "static atomic_int x, y; static atomic_flag f; static int plain;\n"
               "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = "
               "PTHREAD_COND_INITIALIZER;\n"
               "static void unused(void) { atomic_store_explicit(&y, 1, memory_order_relaxed); }\n"
               "static void *work(void *p) {\n  ") +
           GetParam().work + more +
           "\n  return p == 0 ? p : (void *)unused;\n}\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 1; pthread_join(t, 0); return plain; }\n";
  };
  for (const std::string& more : {std::string(), std::string("\n  y++;"), std::string("\n  y++;  // a comment")}) {
    folder.write(".heddle.yaml", "memory-model: sc\n");  // else execution graphs show what weaker orders allow
    folder.write("a.c", text(more));
    const Answer answer = engine.check(folder.file("a.c"));
    std::string all;
    size_t said = 0;
    for (const std::string& entry : answer.final_verdict()->scope().assumptions()) {
      all += entry + "\n";
      for (const char* words : {"memory_order_seq_cst", "compare_exchange_weak", "spurious wake-ups"})
        said += entry.find(words) != std::string::npos;
    }
    const bool none = std::string(GetParam().words).empty();
    EXPECT_EQ(said, none ? 0u : 1u) << all;
    if (!none) {
      EXPECT_NE(all.find(GetParam().words), std::string::npos) << all;
      EXPECT_NE(all.find("a.c:8"), std::string::npos) << all;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Uses, Assumed,
    testing::Values(Used{"strong", "x++; y = 2; atomic_thread_fence(memory_order_seq_cst);", ""},
                    Used{"plain", "if (p) plain = 1;", ""},
                    Used{"relaxed", "y += atomic_load_explicit(&x, memory_order_relaxed);", "memory_order_seq_cst"},
                    Used{"acquire", "y += __atomic_load_n((int *)&x, __ATOMIC_ACQUIRE);", "memory_order_seq_cst"},
                    Used{"release", "atomic_flag_clear_explicit(&f, memory_order_release);", "memory_order_seq_cst"},
                    Used{"update", "atomic_fetch_add_explicit(&y, 1, memory_order_acq_rel);", "memory_order_seq_cst"},
                    Used{"fence", "atomic_thread_fence(memory_order_acq_rel);", "memory_order_seq_cst"},
                    Used{"signal_fence", "atomic_signal_fence(memory_order_release);", ""},
                    Used{"weak", "int e = 1; atomic_compare_exchange_weak(&x, &e, 5);", "compare_exchange_weak"},
                    Used{"failure",
                         "int e = 1; atomic_compare_exchange_strong_explicit(&x, &e, 5, memory_order_seq_cst, "
                         "memory_order_relaxed);",
                         "memory_order_seq_cst"},
                    Used{"wait",
                         "pthread_mutex_lock(&m); while (x == 7) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
                         "spurious wake-ups"},
                    Used{"pipe",
                         "int pipe(int *); long read(int, void *, unsigned long); int d[2]; char b; "
                         "if (pipe(d) == 0) read(d[0], &b, 0);",
                         ""}),
    [](const auto& info) { return std::string(info.param.name); });

struct UsedInCxx {
  const char* name;
  const char* work;
  bool weaker;
};

class AssumedInCxx : public ::testing::TestWithParam<UsedInCxx> {};

TEST_P(AssumedInCxx, OrdersAreThoseThatTheProjectGives) {
  ProjectFolder folder;
  EngineProcess engine;
  folder.write(".heddle.yaml", "memory-model: sc\n");
  folder.write("a.cc", std::string("#include <atomic>\n#include <memory>\n#include <thread>\n"
                                   "std::atomic<int> x{0}, y{0};\nstd::atomic_flag f;\n") +
                           "static void work() { " + GetParam().work + " }\n" +
                           "int main() { std::thread t(work); x = 1; t.join(); return 0; }\n");
  const Answer answer = engine.check(folder.file("a.cc"));
  bool said = false;
  for (const std::string& entry : answer.final_verdict()->scope().assumptions())
    said = said || entry.find("memory_order_seq_cst") != std::string::npos;
  EXPECT_EQ(said, GetParam().weaker) << answer.text();
}

INSTANTIATE_TEST_SUITE_P(
    Uses, AssumedInCxx,
    testing::Values(
        UsedInCxx{"strong",
                  "x.store(2); y = x.load(); x.fetch_add(1); ++y; f.test_and_set(); "
                  "std::atomic_thread_fence(std::memory_order_seq_cst);",
                  false},
        UsedInCxx{"shared_pointer", "auto p = std::make_shared<int>(1); auto q = p; y = *q;", false},
        UsedInCxx{"store", "y.store(1, std::memory_order_release);", true},
        UsedInCxx{"load", "y = x.load(std::memory_order_relaxed);", true},
        UsedInCxx{"exchange", "int e = 0; x.compare_exchange_strong(e, 2, std::memory_order_acq_rel);", true},
        UsedInCxx{"exchange_failure",
                  "int e = 0; x.compare_exchange_strong(e, 2, std::memory_order_seq_cst, std::memory_order_relaxed);",
                  true},
        UsedInCxx{"flag", "f.clear(std::memory_order_release);", true},
        UsedInCxx{"fence", "std::atomic_thread_fence(std::memory_order_acquire);", true},
        UsedInCxx{"free_function", "std::atomic_store_explicit(&y, 1, std::memory_order_relaxed);", true}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace heddle::engine::test
