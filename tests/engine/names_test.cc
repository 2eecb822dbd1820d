// Programs whose names differ by nothing but their folder or extension: each keeps a book, findings and answers of its
// own, also when a second program of the name comes or goes.
#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

std::string program(bool racy) {
  const std::string lock = racy ? "" : "pthread_mutex_lock(&m);", unlock = racy ? "" : "pthread_mutex_unlock(&m);";
  return "#include <pthread.h>\nstatic int counter;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
         "static void *worker(void *p) {\n  " +
         lock + "\n  counter++;\n  " + unlock +
         "\n  return p;\n}\n"
         "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, worker, 0);\n"
         "  pthread_create(&b, 0, worker, 0);\n"
         "  pthread_join(a, 0);\n  pthread_join(b, 0);\n  return 0;\n}\n";
}

class Names : public ::testing::Test {
 protected:
  void database(const std::vector<std::string>& names) { folder_.write_database(names); }
  Answer check(const std::string& name) { return engine_.check(folder_.file(name)); }
  template <typename Response, typename Question, typename Set, typename Get>
  Response ask(Question question, Set set, Get get) {
    v1::Frame frame;
    question.set_root(folder_.path());
    set(frame, question);
    const uint64_t number = engine_.send(frame);
    for (int n = 0; n < 100; ++n)
      if (const auto told = engine_.receive(10); told && told->request() == number) return get(*told);
    ADD_FAILURE() << "no answer";
    return {};
  }
  v1::PairsResponse pairs(const std::string& file) {
    v1::PairsRequest question;
    question.mutable_project()->set_root(folder_.path());
    question.mutable_project()->add_files(folder_.file(file));
    return ask<v1::PairsResponse>(
        question, [](v1::Frame& frame, const v1::PairsRequest& q) { *frame.mutable_pairs() = q; },
        [](const v1::Frame& frame) { return frame.paired(); });
  }
  v1::ShowResponse shown() {
    v1::ShowRequest question;
    question.set_all(true);
    return ask<v1::ShowResponse>(
        question, [](v1::Frame& frame, const v1::ShowRequest& q) { *frame.mutable_show() = q; },
        [](const v1::Frame& frame) { return frame.shown(); });
  }
  static std::set<std::string> targets(const Answer& answer) {
    std::set<std::string> out;
    for (const v1::Event& event : answer.events)
      if (event.has_verdict() && !event.target().empty()) out.insert(event.target());
    return out;
  }
  static v1::VerdictKind kind(const Answer& answer) { return answer.final_verdict()->kind(); }

  ProjectFolder folder_;
  EngineProcess engine_;
};

TEST_F(Names, TwoLoneFilesOfOneStemHaveBooksOfTheirOwn) {
  folder_.write("race.c", program(true));
  folder_.write("race.cpp", program(false));
  EXPECT_EQ(kind(check("race.c")), v1::VERDICT_FINDINGS);
  EXPECT_EQ(kind(check("race.cpp")), v1::VERDICT_CLEAR);
  ASSERT_EQ(shown().findings_size(), 1) << "that of race.c is still open";
  folder_.write("race.cpp", program(true));
  EXPECT_EQ(kind(check("race.cpp")), v1::VERDICT_FINDINGS);
  EXPECT_EQ(shown().findings_size(), 2);
  folder_.write("race.c", program(false));
  EXPECT_EQ(kind(check("race.c")), v1::VERDICT_CLEAR);
  const auto open = shown();
  ASSERT_EQ(open.findings_size(), 1);
  EXPECT_EQ(open.findings(0).places(0).file(), folder_.file("race.cpp"));
}

// What changed in race.cpp is no answer about race.c.
TEST_F(Names, PairsAreThoseOfTheFile) {
  folder_.write("race.c", program(false));
  folder_.write("race.cpp", program(false));
  check("race.c");
  check("race.cpp");
  folder_.write("race.cpp", program(true));
  check("race.cpp");
  const auto of_c = pairs("race.c");
  for (const v1::TargetPairs& target : of_c.targets())
    for (const v1::Fragment& fragment : target.diffed().fragments()) EXPECT_EQ(fragment.file(), folder_.file("race.c"));
  const auto of_cpp = pairs("race.cpp");
  ASSERT_EQ(of_cpp.targets_size(), 1);
  EXPECT_GT(of_cpp.targets(0).diffed().fragments_size(), 0);
}

TEST_F(Names, ASecondProgramOfTheNameDoesNotMakeTheFirstOweEverything) {
  folder_.write("race.c", program(false));
  database({"race.c"});
  EXPECT_EQ(targets(check("race.c")), std::set<std::string>{"race"});
  folder_.write("race.cpp", program(true));
  database({"race.c", "race.cpp"});
  const Answer again = check("race.c");
  EXPECT_EQ(targets(again), std::set<std::string>{"race.c"});
  EXPECT_EQ(kind(again), v1::VERDICT_CLEAR);
  EXPECT_EQ(again.pairs_started(), 0u) << "its content was judged, under the shorter name";
  EXPECT_EQ(kind(check("race.cpp")), v1::VERDICT_FINDINGS);
  const auto named = again.final_verdict()->targets();
  EXPECT_EQ(std::set<std::string>(named.begin(), named.end()), (std::set<std::string>{"race.c", "race.cpp"}));
}

TEST_F(Names, AProgramThatIsGoneIsNoTargetAnyMore) {
  folder_.write("one.c", program(false));
  folder_.write("two.c", program(true));
  database({"one.c", "two.c"});
  check("two.c");
  database({"one.c"});
  const Answer answer = check("one.c");
  const auto named = answer.final_verdict()->targets();
  EXPECT_EQ(std::vector<std::string>(named.begin(), named.end()), std::vector<std::string>{"one"});
}

TEST_F(Names, EqualNamesInDifferentFolders) {
  std::filesystem::create_directories(folder_.file("a"));
  std::filesystem::create_directories(folder_.file("b"));
  folder_.write("a/main.c", program(true));
  folder_.write("b/main.c", program(false));
  database({"a/main.c", "b/main.c"});
  EXPECT_EQ(targets(check("a/main.c")), std::set<std::string>{"a/main"});
  EXPECT_EQ(kind(check("b/main.c")), v1::VERDICT_CLEAR);
  ASSERT_EQ(shown().findings_size(), 1);
  EXPECT_EQ(shown().findings(0).places(0).file(), folder_.file("a/main.c"));
}

}  // namespace
}  // namespace heddle::engine::test
