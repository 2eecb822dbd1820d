// Pairs in which no thread comes to the change are not counted as explored.
#include <set>
#include <string>

#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

class NotReached : public ::testing::Test {
 protected:
  // Two workers; a race on `count`, so that the pairs are explored even where the program is small. Worker `kind` does
  // `rare`.
  Answer save(int kind, const std::string& rare) {
    folder_.write("a.c",
                  "#include <pthread.h>\n#include <stdatomic.h>\nstatic int count;\nstatic atomic_int hits;\n"
                  "static void *worker(void *p) {\n  count++;\n  if ((long)p == " +
                      std::to_string(kind) + ") {\n    hits++;\n" + rare +
                      "  }\n  return p;\n}\n"
                      "int main(void) {\n  pthread_t t[3];\n"
                      "  for (long n = 0; n < 3; n++) pthread_create(&t[n], 0, worker, (void *)n);\n"
                      "  for (int n = 0; n < 3; n++) pthread_join(t[n], 0);\n  return hits > 9;\n}\n");
    return engine_.check(folder_.file("a.c"));
  }
  static size_t pairs_that_say(const Answer& answer, const std::string& words) {
    std::set<uint32_t> found;
    for (const v1::Event& event : answer.events)
      if (event.has_pair_finished() && event.pair_finished().pair().reason().find(words) != std::string::npos)
        found.insert(event.pair_finished().index());
    return found.size();
  }

  ProjectFolder folder_;
  EngineProcess engine_;
};

TEST_F(NotReached, APairWhoseThreadsNeverComeToTheChangeIsCountedApart) {
  save(7, "");
  const Answer answer = save(7, "    hits += 2;\n");
  const v1::Scope& scope = answer.final_verdict()->scope();
  EXPECT_GT(scope.pairs_not_reached(), 0u) << answer.text();
  EXPECT_EQ(scope.pairs_explored(), 0u) << answer.text();
  EXPECT_EQ(pairs_that_say(answer, "never came to the change"), scope.pairs_not_reached()) << answer.text();
  EXPECT_NE(scope.summary().find("never came to the change"), std::string::npos) << scope.summary();
}

TEST_F(NotReached, AThirdThreadComesToTheChange) {
  save(2, "");
  const Answer answer = save(2, "    hits += 2;\n");
  const v1::Scope& scope = answer.final_verdict()->scope();
  EXPECT_GT(scope.pairs_explored(), 0u) << answer.text();
  EXPECT_EQ(pairs_that_say(answer, "never came to the change"), scope.pairs_not_reached()) << answer.text();
}

}  // namespace
}  // namespace heddle::engine::test
