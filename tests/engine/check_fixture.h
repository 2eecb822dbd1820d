// Programs with and without a lock, and a fixture that saves and checks one.
//
// In:      texts of programs.
// Out:     answers of an engine with a ledger of its own.
// Owns:    a folder and an engine for each test.
// Threads: one.
// Fails:   fails the test if a check does not end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/engine/harness.h"

namespace heddle::engine::test {

// Line numbers matter: `total` is written in line 8, the lock is in line 7.
inline std::string counter(const std::string& lock, const std::string& unlock, const std::string& before = "",
                           const std::string& local = "item") {
  return "#include <pthread.h>\n"
         "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
         "static int total;\n"
         "static void *work(void *p) {\n"
         "  int *" +
         local + " = p;\n" + before +
         "  for (int i = 0; i < 2; i++) {\n"
         "    " +
         lock +
         "\n"
         "    total += *" +
         local +
         ";\n"
         "    " +
         unlock +
         "\n"
         "  }\n"
         "  return 0;\n"
         "}\n"
         "int main(void) {\n"
         "  pthread_t a, b;\n"
         "  int one = 1, two = 2;\n"
         "  pthread_create(&a, 0, work, &one);\n"
         "  pthread_create(&b, 0, work, &two);\n"
         "  pthread_join(a, 0);\n"
         "  pthread_join(b, 0);\n"
         "  return total != 6;\n"
         "}\n";
}
inline const std::string kLock = "pthread_mutex_lock(&m);", kUnlock = "pthread_mutex_unlock(&m);";
inline const std::string kLocked = counter(kLock, kUnlock);
inline const std::string kUnlocked = counter("", "");
// 924 interleavings: too many for step 2 to come before the pairs.
inline std::string larger() {
  std::string text = kLocked;
  return text.replace(text.find("i < 2"), 5, "i < 6").replace(text.find("total != 6"), 10, "total != 18");
}

// Each of `threads` threads has a function of its own: more pairs than are explored without a second look.
inline std::string many(uint32_t threads, const std::string& lock, const std::string& unlock) {
  std::string text = "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int total;\n",
              starts, joins;
  for (uint32_t n = 0; n < threads; ++n) {
    const std::string number = std::to_string(n);
    text += "static void *work" + number + "(void *p) {\n  " + lock + "\n  total = total * 2 + 1;\n  " + unlock +
            "\n  return p;\n}\n";
    starts += "  pthread_create(&t[" + number + "], 0, work" + number + ", 0);\n";
    joins += "  pthread_join(t[" + number + "], 0);\n";
  }
  return text + "int main(void) {\n  pthread_t t[" + std::to_string(threads) + "];\n" + starts + joins +
         "  return 0;\n}\n";
}

inline const char* const kDeadlock =
    "#include <pthread.h>\n"
    "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
    "static void *left(void *p) {\n"
    "  pthread_mutex_lock(&a); pthread_mutex_lock(&b);\n"
    "  pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return p;\n"
    "}\n"
    "static void *right(void *p) {\n"
    "  pthread_mutex_lock(&b); pthread_mutex_lock(&a);\n"
    "  pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return p;\n"
    "}\n"
    "int main(void) {\n"
    "  pthread_t x, y;\n"
    "  pthread_create(&x, 0, left, 0); pthread_create(&y, 0, right, 0);\n"
    "  pthread_join(x, 0); pthread_join(y, 0); return 0;\n"
    "}\n";

// Too many interleavings for any test: five threads, many atomic steps each.
inline const char* const kLong =
    "#include <pthread.h>\n"
    "#include <stdatomic.h>\n"
    "static atomic_int n;\n"
    "static void *work(void *p) {\n"
    "  for (int i = 0; i < 40; i++) atomic_store(&n, atomic_load(&n) * 3 + i);\n"
    "  return p;\n"
    "}\n"
    "int main(void) {\n"
    "  pthread_t t[5];\n"
    "  for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, work, 0);\n"
    "  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);\n"
    "  return 0;\n"
    "}\n";

using Rules = std::vector<std::string>;

class Check : public ::testing::Test {
 protected:
  // Saves the text and checks it.
  Answer save(const std::string& text) {
    folder_.write("a.c", text);
    Answer answer = engine_->check(folder_.file("a.c"));
    EXPECT_TRUE(answer.done) << "no end of the check";
    answer.final_verdict();
    return answer;
  }
  void restart(const EngineProcess::Options& options = {}) {
    engine_.reset();
    engine_ = std::make_unique<EngineProcess>(options);
  }

  ProjectFolder folder_;
  std::unique_ptr<EngineProcess> engine_ = std::make_unique<EngineProcess>();
};

inline v1::VerdictKind kind(const Answer& answer) { return answer.final_verdict()->kind(); }

}  // namespace heddle::engine::test
