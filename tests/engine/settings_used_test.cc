// What a check makes of `.heddle.yaml`.
#include <fstream>
#include <string>
#include <vector>

#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

using Texts = std::vector<std::string>;

// A check in a project folder with settings.
class Checking : public ::testing::Test {
 protected:
  Answer check(const std::string& text) {
    folder_.write("a.c", text);
    return engine_.check(folder_.file("a.c"));
  }
  ProjectFolder folder_;
  EngineProcess engine_;
};

const char* kReadsAll =
    "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "int main(int argc, char **argv) {\n"
    "  char line[20];\n"
    "  assert(argc == 3 && strcmp(argv[1], \"a\") == 0 && argv[3] == 0);\n"
    "  assert(strcmp(getenv(\"HOME\"), \"/home\") == 0);\n"
    "  assert(fgets(line, sizeof line, stdin) && strcmp(line, \"one\\n\") == 0);\n"
    "  FILE *f = fopen(\"/etc/app\", \"r\");\n"
    "  assert(f && fgets(line, sizeof line, f) && strcmp(line, \"two\") == 0);\n"
    "  fclose(f);\n"
    "  assert(strcmp(argv[2], \"x\") != 0);\n"
    "  return 0;\n}\n";

TEST_F(Checking, InputsReachTheProgram) {
  const std::string common = "stdin: \"one\\n\"\nenvironment: {HOME: /home}\nfiles: [{path: /etc/app, text: two}]\n";
  folder_.write(".heddle.yaml", common + "arguments: [a, b]\n");
  Answer answer = check(kReadsAll);
  ASSERT_TRUE(answer.final_verdict());
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_CLEAR) << answer.text();
  EXPECT_EQ(answer.assumptions().find("sampled"), std::string::npos);
  EXPECT_EQ(answer.assumptions().find(".heddle.yaml"), std::string::npos) << answer.assumptions();  // all are given
  // One of the values breaks the last assertion.
  folder_.write(".heddle.yaml", common + "arguments: [a, {one-of: [b, x]}]\n");
  answer = check(kReadsAll);
  EXPECT_EQ(answer.rules(), Texts{"assertion"}) << answer.text();
  EXPECT_NE(answer.assumptions().find("data was sampled: argument 2 (2 values)"), std::string::npos);
  // Without settings the first assertion fails.
  folder_.write(".heddle.yaml", "");
  answer = check(kReadsAll);
  EXPECT_EQ(answer.rules(), Texts{"assertion"});
  for (const char* key : {"`arguments`", "`stdin`", "`environment`", "`files`"})
    EXPECT_NE(answer.assumptions().find(key), std::string::npos) << key;
}

TEST_F(Checking, AnnotationsThatSayNothingAreUsageErrors) {
  const auto check_one = [&](const std::string& before, const std::string& annotation, const std::string& after,
                             const std::string& message) {
    const Answer answer = check(before + "__attribute__((annotate(\"" + annotation + "\")))" + after +
                                "\nint main(void) { return 0; }\n");
    ASSERT_TRUE(answer.final_verdict());
    EXPECT_EQ(answer.final_verdict()->error(), v1::ERROR_USAGE) << answer.text();
    ASSERT_GT(answer.final_verdict()->diagnostics_size(), 0) << annotation;
    const v1::Diagnostic& told = answer.final_verdict()->diagnostics(0);
    EXPECT_NE(told.message().find(message), std::string::npos) << told.message();
    EXPECT_EQ(told.line(), 1u);
    EXPECT_GT(told.column(), 1u);
  };
  check_one("void f(void) { int n ", "heddle: unknown 5..1", "; (void)n; }",
            "is an empty range: 5 is above 1; exchange");
  check_one("void f(void) { int n ", "heddle: unkown", "; (void)n; }", "is not understood; write");
  check_one("void f(void) { int n ", "heddle: unknown 1..", "; (void)n; }", "is not understood; write");
  check_one("void f(void) { int n ", "heddle: unknown", " = 1; (void)n; }", "initialiser; remove the initialiser");
  check_one("void f(void) { double n ", "heddle: unknown", "; (void)n; }", "of type 'double'; write it on an integer");
  check_one("void f(void) { char n ", "heddle: unknown 0..300", "; (void)n; }", "300 is no 'char'");
  check_one("void f(void) { unsigned n ", "heddle: unknown -1", "; (void)n; }", "-1 is no 'unsigned int'");
  check_one("void f(void) { static int n ", "heddle: unknown", "; (void)n; }", "not local");
  check_one("int n ", "heddle: unknown", ";", "not local; write it on a local variable");
  check_one("struct s { int n ", "heddle: unknown", "; };", "stands on no variable");
  check_one("", "heddle: unknown", " void f(void);", "stands on no variable");
  check_one("typedef int number ", "heddle: unknown", ";", "stands on no variable");
  check_one("struct ", "heddle: unknown", " s { int n; };", "stands on no variable");
  check_one("struct s { unsigned n : 3 ", "heddle: unknown 0..7", "; };", "stands on no variable");
  check_one("enum e { one ", "heddle: unknown", " };", "stands on no variable");
  check_one("void f(void) { struct { int n; } s ", "heddle: unknown", "; (void)s; }", "write it on an integer");
  check_one("void f(void) { int n[3] ", "heddle: unknown", "; (void)n; }", "of type 'int[3]'; write it on an integer");
  check_one("void f(void) { int *n ", "heddle: unknown", "; (void)n; }", "of type 'int *'; write it on an integer");
  check_one("void f(void) { __int128 n ", "heddle: unknown", "; (void)n; }", "an integer of at most 64 bits");
  check_one("extern int n ", "heddle: unknown", ";", "not local; write it on a local variable");
  check_one("void f(void) { extern int n ", "heddle: unknown", "; (void)n; }", "not local");
  check_one("const int n ", "heddle: unknown", " = 3;", "not local");
  check_one("void f(int n ", "heddle: unknown", ");", "without a body here; write it where");
  check_one("void (*f)(int n ", "heddle: unknown", ");", "without a body here; write it where");
  check_one("void f(void) { _Bool n ", "heddle: unknown 0..2", "; (void)n; }", "2 is no '_Bool'");
  check_one("void f(void) { int n ", "heddle: unknown 1.5", "; (void)n; }", "is not understood; write");
  check_one("void f(void) { int n ", "heddle: unknown 1,,2", "; (void)n; }", "is not understood; write");
  check_one("void f(void) { int n ", "heddle unknown", "; (void)n; }", "is not understood; write");
  check_one("void f(void) { int n ", "Heddle: unknown", "; (void)n; }", "is not understood; write");
  EXPECT_EQ(check("int main(void) { int n __attribute__((annotate(\"another tool\"))) = 0; return n; }\n")
                .final_verdict()
                ->error(),
            v1::ERROR_NONE);
}

TEST_F(Checking, AnErrorInTheSettingsIsAUsageErrorAndItsRepairIsSeen) {
  folder_.write(".heddle.yaml", "modls: []\n");
  const Answer answer = check("int main(void) { return 0; }\n");
  ASSERT_TRUE(answer.final_verdict());
  EXPECT_EQ(answer.final_verdict()->error(), v1::ERROR_USAGE);
  EXPECT_NE(answer.final_verdict()->message().find(".heddle.yaml:1:1: unknown key 'modls'"), std::string::npos);
  ASSERT_TRUE(answer.files);
  ASSERT_EQ(answer.files->files_size(), 1);
  EXPECT_EQ(answer.files->files(0), folder_.file(".heddle.yaml"));
  folder_.write(".heddle.yaml", "models: []\n");
  EXPECT_EQ(check("int main(void) { return 0; }\n").final_verdict()->kind(), v1::VERDICT_CLEAR);
}

TEST_F(Checking, AModelOfTheCommandThatContradictsTheSettings) {
  folder_.write(".heddle.yaml", "version: 1\nmemory-model: tso\n");
  folder_.write("a.c", "int main(void) { return 0; }\n");
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_full(true);
  request.set_trial(true);
  request.set_memory_model(v1::MEMORY_MODEL_RC11);
  const Answer refused = engine_.check(request);
  ASSERT_TRUE(refused.final_verdict());
  EXPECT_EQ(refused.final_verdict()->error(), v1::ERROR_USAGE);
  EXPECT_EQ(refused.final_verdict()->message(),
            folder_.file(".heddle.yaml") +
                ":2:15: memory-model is tso, and the command says --memory-model=rc11; "
                "leave --memory-model=rc11 out, or change the line");
  request.set_memory_model(v1::MEMORY_MODEL_TSO);
  EXPECT_EQ(engine_.check(request).final_verdict()->kind(), v1::VERDICT_CLEAR);
}

TEST_F(Checking, SettingsThatCouldAppearAreWatched) {
  const Answer answer = check("int main(void) { return 0; }\n");
  ASSERT_TRUE(answer.files);
  const auto& absent = answer.files->absent();
  EXPECT_TRUE(std::find(absent.begin(), absent.end(), folder_.file(".heddle.yaml")) != absent.end());
}

const char* kUnknown =
    "#include <assert.h>\nint read_sensor(void);\n"
    "int main(void) {\n  int v = read_sensor();\n  assert(v != -1);\n  return 0;\n}\n";

TEST_F(Checking, PoliciesOfUnknownFunctions) {
  Answer answer = check(kUnknown);
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE);
  ASSERT_EQ(answer.final_verdict()->scope().unknown_externals_size(), 1);
  EXPECT_EQ(answer.final_verdict()->scope().unknown_externals(0).name(), "read_sensor");
  EXPECT_EQ(answer.final_verdict()->scope().unknown_externals(0).places(0).line(), 4u);
  folder_.write(".heddle.yaml", "unknown-externals: ignore-with-note\n");
  answer = check(kUnknown);
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_CLEAR) << answer.text();
  EXPECT_EQ(answer.final_verdict()->scope().unknown_externals_size(), 1);
  EXPECT_NE(answer.assumptions().find("nothing defines read_sensor(); its calls are ignored"), std::string::npos);
  folder_.write(".heddle.yaml", "unknown-externals: {read_sensor: fresh}\n");
  answer = check(kUnknown);
  EXPECT_EQ(answer.rules(), Texts{"assertion"}) << answer.text();
  EXPECT_NE(answer.assumptions().find("nothing defines read_sensor(); it returns any integer"), std::string::npos);
  folder_.write(".heddle.yaml", "unknown-externals: {read_sensor: {fresh: {min: 0, max: 2000000000}}}\n");
  answer = check(kUnknown);
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_CLEAR) << answer.text();
  EXPECT_NE(answer.assumptions().find("it returns any integer from 0 to 2000000000"), std::string::npos);
  folder_.write(".heddle.yaml", "unknown-externals: {read_sensor: {fresh: {min: -3, max: 100}}}\n");
  EXPECT_EQ(check(kUnknown).rules(), Texts{"assertion"});
  folder_.write(".heddle.yaml", "unknown-externals:\n  read_sensor: {fresh: {min: 3000000000, max: 4000000000}}\n");
  answer = check(kUnknown);
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_ERROR);
  EXPECT_NE(answer.final_verdict()->message().find(".heddle.yaml:2:24: no value of fresh fits the result of "
                                                   "'read_sensor', a signed integer of 32 bits; give values"),
            std::string::npos)
      << answer.text();
  folder_.write(".heddle.yaml", "unknown-externals: {read_sensor: {fresh: {one-of: [3, 2]}}}\nunknown-data: sampled\n");
  EXPECT_EQ(check(kUnknown).final_verdict()->kind(), v1::VERDICT_CLEAR) << "the samples are among them, too";
  folder_.write(".heddle.yaml", "unknown-externals: {read_sensor: fresh}\nunknown-data: sampled\n");
  answer = check(kUnknown);
  EXPECT_EQ(answer.rules(), Texts{"assertion"}) << answer.text();
  EXPECT_NE(answer.assumptions().find("data was sampled: nothing defines read_sensor()"), std::string::npos);
  folder_.write("device.c", "int read_sensor(void) { return 7; }\n");
  folder_.write(".heddle.yaml", "models: [device.c]\n");
  answer = check(kUnknown);
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_CLEAR) << answer.text();
  EXPECT_EQ(answer.final_verdict()->scope().unknown_externals_size(), 0);
  // A model is a unit like any other: an edit of it is seen.
  folder_.write("device.c", "int read_sensor(void) { return -1; }\n");
  EXPECT_EQ(check(kUnknown).rules(), Texts{"assertion"});
}

// Line 8 calls, line 9 asserts.
const char* kFilling =
    "#include <assert.h>\n#include <pthread.h>\nstruct header { short kind; int size; char *next; _Bool last; };\n"
    "void read_header(int from, struct header *into);\nstatic struct header known;\n"
    "static void *work(void *p) {\n  struct header own = {1, 2, 0, 0};\n  read_header(3, WHERE);\n"
    "  assert(own.kind != -7 || own.size != 70000 || own.last != 1 || own.next != 0);\n  return p;\n}\n"
    "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, work, 0);\n  int seen = known.size;\n"
    "  pthread_join(t, 0);\n  return seen > 5 ? 0 : known.kind > 5 ? 0 : 0;\n}\n";

std::string filling(const std::string& where) {
  std::string text = kFilling;
  return text.replace(text.find("WHERE"), 5, where);
}

TEST_F(Checking, MemoryThatAnUnknownFunctionFills) {
  folder_.write(".heddle.yaml", "unknown-externals: {read_header: fresh}\n");
  EXPECT_EQ(check(filling("&own")).final_verdict()->kind(), v1::VERDICT_CLEAR) << "it does nothing";
  folder_.write(".heddle.yaml", "unknown-externals: {read_header: {fills: [2]}}\n");
  Answer answer = check(filling("&own"));
  ASSERT_EQ(answer.rules(), Texts{"assertion"}) << answer.text();
  const v1::Finding finding = answer.findings().front();
  EXPECT_NE(finding.message().find("read_header(), argument 2 = {-7, 70000, 1} (line 8)"), std::string::npos)
      << finding.message();
  EXPECT_NE(answer.assumptions().find("fills what argument 2 points to with any bytes"), std::string::npos);
  answer = check(filling("&known"));
  EXPECT_EQ(answer.rules(), Texts{"data-race"}) << "the call writes: " << answer.text();
  EXPECT_EQ(check(filling("0")).final_verdict()->kind(), v1::VERDICT_CLEAR) << "a null pointer is left alone";
  folder_.write(".heddle.yaml", "unknown-externals: {read_header: {fills: [{argument: 2, size: 25}]}}\n");
  EXPECT_EQ(check(filling("&own")).rules(), Texts{"out-of-bounds"});
  folder_.write(".heddle.yaml", "unknown-externals: {read_header: {fills: [{argument: 2, size: 2}]}}\n");
  EXPECT_EQ(check(filling("&own")).final_verdict()->kind(), v1::VERDICT_CLEAR) << "the size stays 2";
  folder_.write(".heddle.yaml", "unknown-externals:\n  read_header: {fills: [{argument: 3}]}\n");
  answer = check(filling("&own"));
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_ERROR);
  EXPECT_NE(
      answer.final_verdict()->message().find(".heddle.yaml:2:24: fills of 'read_header' names an argument that is "
                                             "not there"),
      std::string::npos)
      << answer.text();
}

// The values of the finding lead to it: no question is asked again, however hard it was. Only Z3 finds a root of 24 bits.
TEST_F(Checking, AReplayNeedsNoSolver) {
  const char* const text =
      "#include <assert.h>\nunsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n"
      "  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = __VERIFIER_nondet_uint();\n"
      "  assert(!(a > 1 && b > 1 && c > b && (a * a & 0xffffff) == 0x6da321));\n  return 0;\n}\n";
  const Answer answer = check(text);
  ASSERT_EQ(answer.rules(), Texts{"assertion"}) << answer.text();
  EXPECT_GT(answer.final_verdict()->stats().queries(), 0u);
  v1::Frame frame;
  v1::ReplayRequest& replay = *frame.mutable_replay();
  *replay.mutable_project() = request_for(folder_.file("a.c"));
  replay.set_id(answer.findings().front().id());
  const Answer again = engine_.collect(engine_.send(std::move(frame)));
  ASSERT_TRUE(again.final_verdict());
  EXPECT_EQ(again.final_verdict()->message(), "the finding is still there");
  EXPECT_EQ(again.findings().front().message(), answer.findings().front().message());
  EXPECT_EQ(again.final_verdict()->stats().queries(), 0u);
}

// Misspelled, defined by the program, or by the library: the policy of such a name is none.
TEST_F(Checking, NamesOfUnknownFunctionsThatDecideNothing) {
  folder_.write(".heddle.yaml",
                "unknown-externals:\n  default: stop\n  read_sensor: ignore-with-note\n  read_sensr: fresh\n"
                "  main: fresh\n  puts: {fresh: {min: 0, max: 1}}\n");
  const Answer answer = check(kUnknown);
  const auto& warnings = answer.final_verdict()->warnings();
  ASSERT_EQ(warnings.size(), 3) << answer.text();
  const std::string at = folder_.file(".heddle.yaml");
  EXPECT_TRUE(warnings[0].starts_with(at + ":4: unknown-externals names 'read_sensr', and no ")) << warnings[0];
  EXPECT_TRUE(warnings[1].starts_with(at + ":5: unknown-externals names 'main'")) << warnings[1];
  EXPECT_TRUE(warnings[2].starts_with(at + ":6: unknown-externals names 'puts'")) << warnings[2];
}

TEST_F(Checking, TheVerificationInterface) {
  const std::string head =
      "#include <assert.h>\n#include <stdlib.h>\n#include <pthread.h>\n"
      "extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void);\n"
      "extern void __VERIFIER_assume(int), __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n"
      "extern void reach_error(void);\n"
      "static void assume_abort_if_not(int c) { if (!c) abort(); }\n";
  const std::string bounded = "  int n = __VERIFIER_nondet_int();\n  __VERIFIER_assume(n > 0 && n < 10);\n";
  const Answer clear = check(head + "int main(void) {\n" + bounded + "  assert(n != 0 && n != 10);\n  return 0;\n}\n");
  EXPECT_EQ(clear.final_verdict()->kind(), v1::VERDICT_CLEAR) << clear.text();
  EXPECT_EQ(clear.assumptions().find("data was sampled"), std::string::npos);
  folder_.write(".heddle.yaml", "unknown-data: sampled\n");
  const Answer sampled = check(head + "int main(void) {\n" + bounded + "  assert(n == 1 || n == 2);\n  return 0;\n}\n");
  EXPECT_EQ(sampled.final_verdict()->kind(), v1::VERDICT_CLEAR) << sampled.text();
  EXPECT_NE(sampled.assumptions().find("data was sampled: the results of __VERIFIER_nondet_int()"), std::string::npos);
  folder_.write(".heddle.yaml", "");
  EXPECT_EQ(check(head + "int main(void) {\n" + bounded + "  if (n == 2) reach_error();\n  return 0;\n}\n").rules(),
            Texts{"assertion"});
  // A false assumption is no finding: neither the abort, nor the leak, nor that the other thread waits for ever.
  EXPECT_EQ(
      check(head + "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                   "static void *w(void *p) { pthread_mutex_lock(&m); assume_abort_if_not(__VERIFIER_nondet_bool());\n"
                   "  pthread_mutex_unlock(&m); return p; }\n"
                   "int main(void) {\n  pthread_t t; pthread_create(&t, 0, w, malloc(0));\n"
                   "  pthread_mutex_lock(&m); pthread_mutex_unlock(&m); void *r;\n"
                   "  pthread_join(t, &r); free(r); return 0;\n}\n")
          .rules(),
      Texts{});
  // Sections exclude each other.
  const std::string sections =
      "static int x;\nstatic void *w(void *p) { __VERIFIER_atomic_begin(); int v = x; x = v + 1; "
      "__VERIFIER_atomic_end();\n"
      "  return p; }\nint main(void) {\n  pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);\n"
      "  pthread_join(a, 0); pthread_join(b, 0); assert(x == 2); return 0;\n}\n";
  EXPECT_EQ(check(head + sections).rules(), Texts{});
}

}  // namespace
}  // namespace heddle::engine::test
