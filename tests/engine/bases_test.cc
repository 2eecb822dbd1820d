// What a version may be compared with: one whose paths ended at limits of ours proves nothing about what lies behind.
#include <unistd.h>

#include <filesystem>

#include "server/engine/store/base.h"
#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

using Rules = std::vector<std::string>;

// Two threads that take two mutexes in opposite orders, behind what `probe` does.
std::string behind(const std::string& probe, const std::string& call = "probe();") {
  return "#include <pthread.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
         "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
         "static int features, level;\nint mystery(void);\n" +
         probe +
         "\nstatic void *left(void *p) {\n"
         "  pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);\n"
         "  return p;\n}\n"
         "static void *right(void *p) {\n"
         "  pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);\n"
         "  return p;\n}\n"
         "int main(int argc, char **argv) {\n  pthread_t t, u;\n  " +
         call +
         "\n  level = features;\n"
         "  pthread_create(&t, 0, left, 0); pthread_create(&u, 0, right, 0);\n"
         "  pthread_join(t, 0); pthread_join(u, 0);\n  return 0;\n}\n";
}

std::string probe(const std::string& body) { return "static void probe(void) { " + body + " }"; }

std::string threads_in_turn(int count) {
  return "static void *idle(void *p) { return p; }\n" +
         probe("for (int n = 0; n < " + std::to_string(count) +
               "; n++) { pthread_t t; pthread_create(&t, 0, idle, 0); pthread_join(t, 0); }");
}

class Bases : public ::testing::Test {
 protected:
  Answer check(const std::string& text, bool full = false, const std::vector<std::string>& flags = {}) {
    folder_.write("a.c", text);
    v1::CheckRequest request = request_for(folder_.file("a.c"));
    request.set_full(full);
    for (const std::string& flag : flags) request.add_flags(flag);
    return engine_.check(request);
  }
  static v1::VerdictKind kind(const Answer& answer) { return answer.final_verdict()->kind(); }

  ProjectFolder folder_;
  EngineProcess engine_{{{{"HEDDLE_GUEST_INSTRUCTIONS", "3000000"}}, 0}};
};

struct Limit {
  const char* name;
  std::string hidden;  // its paths end in probe()
  std::string shown;   // they do no more
};

class Limits : public Bases, public ::testing::WithParamInterface<Limit> {};

TEST_P(Limits, WhatLiesBehindIsExploredOnceTheyAreGone) {
  ASSERT_EQ(kind(check(GetParam().hidden)), v1::VERDICT_INCONCLUSIVE);
  const Answer shown = check(GetParam().shown);
  EXPECT_EQ(shown.rules(), Rules{"deadlock"}) << shown.text();
}

TEST_P(Limits, NothingIsClearThatRestsOnThem) {
  const Answer first = check(GetParam().hidden);
  ASSERT_EQ(kind(first), v1::VERDICT_INCONCLUSIVE);
  const std::string commented = "// a comment more\n" + GetParam().hidden;
  for (const Answer& answer : {check(commented), check(commented, true), check(commented + "/* */", true, {"-DUNUSED"}),
                               check(commented, false, {"-O1"}), check("static int unused;\n" + commented)}) {
    EXPECT_EQ(kind(answer), v1::VERDICT_INCONCLUSIVE) << answer.text();
    EXPECT_FALSE(answer.final_verdict()->message().empty());
    EXPECT_NE(answer.final_verdict()->scope().full(), v1::STEP_COMPLETE);
  }
}

const std::string kCpuid =
    probe(R"(int x = 0, d; __asm__("cpuid" : "=d"(d), "+a"(x) : : "rbx", "rcx"); features = d;)");

INSTANTIATE_TEST_SUITE_P(
    Kinds, Limits,
    ::testing::Values(
        Limit{"InlineAssembly", behind(kCpuid), behind(probe("features = 7;"))},
        Limit{"AssemblyThatIsNotCalled", behind(kCpuid), behind(kCpuid, "if (argc > 5) probe();")},
        Limit{"SystemCall", behind(probe("features = (int)syscall(425, 1, 0);")), behind(probe("features = 1;"))},
        Limit{"Instructions",
              behind(probe("volatile int k = 0; for (long i = 0; i < 3000000000; i++) k++; features = k;")),
              behind(probe("volatile int k = 0; for (long i = 0; i < 3; i++) k++; features = k;"))},
        Limit{"UnknownFunction", behind(probe("features = mystery();")), behind(probe("features = 2;"))},
        Limit{"UnknownFunctionInTwoPlaces", behind(probe("features = mystery();"), "probe(); if (argc > 7) mystery();"),
              behind(probe("features = 3;"), "probe(); if (argc > 7) mystery();")},
        Limit{"UnknownFunctionBehindAValue",
              behind("static int wanted = 1;\n" + probe("if (wanted) features = mystery();")),
              behind("static int wanted = 0;\n" + probe("if (wanted) features = mystery();"))},
        Limit{"Threads", behind(threads_in_turn(130)), behind(threads_in_turn(3))},
        Limit{"NoThread", behind(probe("features = 1;"), "probe(); if (argc < 2) return 1;"),
              behind(probe("features = 1;"), "probe(); if (argc < 1) return 1;")},
        Limit{"Nothing", behind(probe("features = 1;"), "if (argc < 2) return 1; probe();"),
              behind(probe("features = 1;"), "probe();")}),
    [](const auto& info) { return info.param.name; });

// The limit of operations is beyond the others' limit of instructions; what the first thread does alone does not count.
TEST(LongPaths, WhatLiesBehindIsExploredOnceTheyAreShort) {
  ProjectFolder folder;
  EngineProcess engine;
  const auto check = [&](const std::string& rounds) {
    folder.write("a.c", behind("static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;\n"
                               "static void *ends(void *unused) { return unused; }\n" +
                               probe("pthread_t other; pthread_create(&other, 0, ends, 0); pthread_join(other, 0);\n"
                                     "for (int n = 0; n < " +
                                     rounds + "; n++) { pthread_mutex_lock(&own); pthread_mutex_unlock(&own); }")));
    return engine.check(folder.file("a.c"));
  };
  const Answer hidden = check("160000");
  EXPECT_EQ(hidden.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << hidden.text();
  EXPECT_NE(hidden.text().find("operations"), std::string::npos) << hidden.text();
  EXPECT_EQ(check("3").rules(), Rules{"deadlock"});
}

// Of two calls the first is gone: paths end at the second now, and what is between them is as new as the first.
TEST_F(Bases, WhatIsBetweenTwoLimitsIsExplored) {
  const std::string worker =
      "#include <pthread.h>\nint mystery(void);\nstatic int n;\nstatic void *work(void *p) { n++; return p; }\n"
      "int main(void) {\n  pthread_t t;\n";
  const std::string rest = "  pthread_create(&t, 0, work, 0); n++; pthread_join(t, 0);\n  mystery();\n  return 0;\n}\n";
  ASSERT_EQ(kind(check(worker + "  mystery();\n" + rest)), v1::VERDICT_INCONCLUSIVE);
  EXPECT_EQ(check(worker + rest).rules(), Rules{"data-race"});
}

TEST_F(Bases, ASingleThreadThatDoesNothingIsNotClear) {
  const std::string text =
      "static int work(int n) { return 10 / n; }\n"
      "int main(int argc, char **argv) { if (argc < 2) return 2; return work(argc - 2); }\n";
  EXPECT_EQ(kind(check(text)), v1::VERDICT_INCONCLUSIVE);
  EXPECT_EQ(kind(check(text)), v1::VERDICT_INCONCLUSIVE) << "judged before is no answer";
  EXPECT_EQ(kind(check("int main(void) { return 0; }\n")), v1::VERDICT_CLEAR) << "there is nothing else to run";
}

TEST_F(Bases, AVersionWhoseFindingsEndTheirPathsIsOneWhileTheyShow) {
  const std::string text = behind(probe("features = 1;"));
  ASSERT_EQ(check(text).rules(), Rules{"deadlock"});
  std::string other = text;
  other.replace(other.find("return 0;"), 9, "return level;");
  const Answer edited = check(other);
  EXPECT_EQ(edited.rules(), Rules{"deadlock"});
  EXPECT_FALSE(edited.diffed()->everything()) << edited.text();
  const std::string wrong = "pthread_mutex_lock(&b); pthread_mutex_lock(&a);";
  other.replace(other.find(wrong), wrong.size(), "pthread_mutex_lock(&a); pthread_mutex_lock(&b);");
  const Answer repaired = check(other);
  EXPECT_EQ(repaired.fixed(), Rules{"deadlock"});
  EXPECT_TRUE(repaired.diffed()->everything()) << "no version without the deadlock is known";
}

TEST_F(Bases, AGivenBaseWhosePathsEndIsNoneEither) {
  folder_.write("old/a.c", behind(kCpuid));
  folder_.write("a.c", behind(probe("features = 7;")));
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_base(folder_.file("old/a.c"));
  EXPECT_EQ(engine_.check(request).rules(), Rules{"deadlock"});
  folder_.write("a.c", "// more\n" + behind(kCpuid));
  EXPECT_EQ(kind(engine_.check(request)), v1::VERDICT_INCONCLUSIVE);
}

// Six threads: no time limit here is enough.
std::string endless(const std::string& extra) {
  return "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n;\nstatic int own;\n"
         "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
         "static void *work(void *p) {\n"
         "  for (int i = 0; i < 40; i++) atomic_store(&n, atomic_load(&n) * 3 + i);\n  return p;\n}\n"
         "static void *other(void *p) { " +
         extra +
         " return p; }\n"
         "int main(void) {\n  pthread_t t[5], u, v;\n"
         "  for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, work, 0);\n"
         "  pthread_create(&u, 0, other, 0); pthread_create(&v, 0, other, 0);\n"
         "  pthread_join(u, 0); pthread_join(v, 0);\n"
         "  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);\n  return 0;\n}\n";
}

TEST(TimeLimits, AVersionThatIsTooLargeDoesNotMakeEverySaveCostTheLimit) {
  ProjectFolder folder;
  EngineProcess engine{{{{"HEDDLE_BACKGROUND_SECONDS", "0.000001"}}, 0}};
  const auto check = [&](const std::string& text) {
    folder.write("a.c", text);
    v1::CheckRequest request = request_for(folder.file("a.c"));
    request.set_time_limit_seconds(5);
    return engine.check(request);
  };
  const Answer first = check(endless("pthread_mutex_lock(&m); own++; pthread_mutex_unlock(&m);"));
  ASSERT_EQ(first.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE);
  const Answer harmless = check(endless("pthread_mutex_lock(&m); own += 2; pthread_mutex_unlock(&m);"));
  EXPECT_EQ(harmless.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << harmless.text();
  EXPECT_LT(harmless.final_verdict()->stats().executions() * 10, first.final_verdict()->stats().executions());
  EXPECT_NE(harmless.final_verdict()->message().find("still owed from before"), std::string::npos);
  const Answer race = check(endless("own += 2;"));
  EXPECT_EQ(race.rules(), Rules{"data-race"}) << race.text();
}

TEST(TimeLimits, AreNotSpentAgainByAnotherEngine) {
  ProjectFolder folder;
  const auto check = [&](const std::string& text) {
    EngineProcess engine{{{{"HEDDLE_BACKGROUND_SECONDS", "0.000001"}}, 0}};
    folder.write("a.c", text);
    v1::CheckRequest request = request_for(folder.file("a.c"));
    request.set_time_limit_seconds(2);
    return engine.check(request);
  };
  const std::string text = endless("pthread_mutex_lock(&m); own++; pthread_mutex_unlock(&m);");
  const uint64_t first = check(text).final_verdict()->stats().executions();
  for (const std::string& edited : {"// a comment more\n" + text, text + "static int unused;\n"}) {
    const Answer again = check(edited);
    EXPECT_EQ(again.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << again.text();
    EXPECT_LT(again.final_verdict()->stats().executions() * 10, first) << again.text();
  }
}

// What takes the compiler longer than the limit, in the file and in a header.
TEST(TimeLimits, CountExploringNotCompiling) {
  std::string slow = "constexpr long f(long n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }\n";
  for (int n = 0; n < 12; ++n)
    slow += "constexpr long x" + std::to_string(n) + " = f(21) + " + std::to_string(n) + ";\n";
  const std::string program =
      "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int n;\n"
      "static void *work(void *p) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return p; }\n"
      "int main() {\n  pthread_t t;\n  pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0);\n  return n != "
      "2;\n}\n";
  ProjectFolder folder;
  EngineProcess engine;
  folder.write("slow.h", slow);
  for (const std::string& text : {slow + program, "#include \"slow.h\"\n" + program}) {
    folder.write("a.cc", text);
    v1::CheckRequest request = request_for(folder.file("a.cc"));
    request.set_time_limit_seconds(0.2);
    const Answer answer = engine.check(request);
    EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_CLEAR) << answer.text();
    EXPECT_GT(answer.final_verdict()->stats().ms().compile(), 200) << "it did not take longer than the limit";
  }
  // What is too slow for the compiler's limit is no error of the text.
  EngineProcess hurried{{{{"HEDDLE_COMPILE_SECONDS", "0.05"}}, 0}};
  folder.write("b.cc", slow + program + "int more;\n");  // another text: no unit of it is kept
  const std::string message = hurried.check(folder.file("b.cc")).final_verdict()->message();
  EXPECT_TRUE(message.starts_with("cannot compile " + folder.file("b.cc") + ": ")) << message;
  EXPECT_NE(message.find("HEDDLE_COMPILE_SECONDS"), std::string::npos) << message;
}

// The folder of `--base`.
class OldFolders : public ::testing::Test {
 protected:
  OldFolders() { project_.root = folder_.path(); }
  BaseTexts read() const {
    auto texts = base_texts(project_, old_.path(), {});
    EXPECT_TRUE(std::holds_alternative<BaseTexts>(texts));
    return std::get<BaseTexts>(std::move(texts));
  }
  void write_too_large(const std::string& name) const {
    old_.write(name, "");
    std::filesystem::resize_file(old_.file(name), (uint64_t{256} << 20) + 1);
  }

  ProjectFolder folder_, old_;
  frontend::Project project_;
};

TEST_F(OldFolders, AreReadByPath) {
  std::filesystem::create_directories(old_.file("lib"));
  for (const char* name : {"b.c", "lib/a.H", "lib/t.ipp", "notes.txt"}) old_.write(name, name);
  const BaseTexts texts = read();
  ASSERT_EQ(texts.overlays.size(), 3u);
  EXPECT_EQ(texts.overlays[0].path, folder_.file("b.c"));
  EXPECT_EQ(texts.overlays[1].path, folder_.file("lib/a.H"));
  EXPECT_TRUE(texts.left_out.empty());
}

TEST_F(OldFolders, WhatIsTooMuchIsNamed) {
  for (int n = 10'000; n <= 30'000; ++n) old_.write(std::to_string(n) + ".c", "");
  const BaseTexts texts = read();
  EXPECT_EQ(texts.overlays.size(), 20'000u);
  ASSERT_EQ(texts.left_out.size(), 1u);
  EXPECT_NE(texts.left_out[0].find("from 30000.c on, more than 20000 in all"), std::string::npos) << texts.left_out[0];
}

TEST_F(OldFolders, WhatCannotBeReadIsNamed) {
  old_.write("a.c", "int a;");
  write_too_large("large.c");
  std::filesystem::create_directories(old_.file("closed"));
  std::filesystem::permissions(old_.file("closed"), std::filesystem::perms::none);
  std::filesystem::permissions(old_.path(), std::filesystem::perms::all);
  const bool changed = ::geteuid() == 0 && ::seteuid(65534) == 0;  // root reads everything
  const BaseTexts texts = read();
  ASSERT_TRUE(!changed || ::seteuid(0) == 0);
  EXPECT_EQ(texts.overlays.size(), 1u);
  ASSERT_EQ(texts.left_out.size(), 2u);
  EXPECT_NE(texts.left_out[0].find("closed/, which cannot be read (Permission denied)"), std::string::npos)
      << texts.left_out[0];
  EXPECT_NE(texts.left_out[1].find("large.c, which is larger than 256 MB"), std::string::npos) << texts.left_out[1];
}

TEST_F(OldFolders, NothingIsClearBesideWhatWasLeftOut) {
  const std::string text =
      "#include <pthread.h>\nstatic int n;\nstatic void *work(void *p) { return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); n++; }\n";
  EngineProcess engine;
  const auto check = [&] {
    v1::CheckRequest request = request_for(folder_.file("a.c"));
    request.set_base(old_.path());
    return engine.check(request);
  };
  folder_.write("a.c", text);
  old_.write("a.c", text);
  const Answer clear = check();
  EXPECT_EQ(clear.final_verdict()->kind(), v1::VERDICT_CLEAR) << clear.text();
  write_too_large("b.h");
  const Answer answer = check();
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << answer.text();
  EXPECT_NE(answer.final_verdict()->message().find("b.h"), std::string::npos) << answer.text();
}

}  // namespace
}  // namespace heddle::engine::test
