// Which units are linked, through a real engine process: static constructors that register what main then runs.
#include "tests/engine/link_fixture.h"

namespace heddle::engine::test {
namespace {

const std::string kRegistry =
    "#pragma once\n#include <thread>\n#include <vector>\nusing Fn = void (*)();\nstd::vector<Fn>& registry();\n"
    "struct Reg { Reg(Fn f) { registry().push_back(f); } };\n";
const std::string kInline =
    "#pragma once\n#include <thread>\n#include <vector>\nusing Fn = void (*)();\n"
    "inline std::vector<Fn>& registry() { static std::vector<Fn> all; return all; }\n"
    "struct Reg { Reg(Fn f) { registry().push_back(f); } };\n";
const std::string kDefinition =
    "#include \"reg.h\"\nstd::vector<Fn>& registry() { static std::vector<Fn> all; return all; }\n";
const std::string kMain = "#include \"reg.h\"\nint main() { for (Fn f : registry()) f(); }\n";

std::string test(const std::string& name, bool racy) {
  return "#include \"reg.h\"\n#include <mutex>\nint " + name +
         "_value;\nstatic std::mutex m;\n"
         "static void add() {\n" +
         (racy ? "" : "  std::lock_guard<std::mutex> g(m);\n") + "  ++" + name +
         "_value;\n}\n"
         "static void run() { std::thread t(add); add(); t.join(); }\nstatic Reg r(run);\n";
}

TEST_F(Link, AUnitThatNobodyNames) {
  folder_.write("reg.h", kRegistry);
  folder_.write("main.cc", kMain + kDefinition);
  folder_.write("test.cc", test("one", true));
  database({{"main.cc", ""}, {"test.cc", ""}});
  const Answer racy = check();
  EXPECT_EQ(kind(racy), v1::VERDICT_FINDINGS) << racy.text();
  EXPECT_TRUE(says(racy, "test.cc is linked")) << racy.text();
  folder_.write("test.cc", test("one", false));
  EXPECT_EQ(kind(check()), v1::VERDICT_CLEAR);
}

// A file that never compiled may define what the others only name.
TEST_F(Link, ABrokenFileDefinesWhatAThreadStartsWith) {
  folder_.write("main.cc",
                "#include <pthread.h>\nvoid* work(void* p);\nint main() { pthread_t t; "
                "pthread_create(&t, nullptr, work, nullptr); pthread_join(t, nullptr); }\n");
  folder_.write("work.cc", "#include \"gone.h\"\nvoid* work(void* p) { return p; }\n");
  database({{"main.cc", ""}, {"work.cc", ""}});
  EXPECT_EQ(kind(check()), v1::VERDICT_ERROR);
  folder_.write("gone.h", "\n");
  EXPECT_EQ(kind(check()), v1::VERDICT_CLEAR);
}

TEST_F(Link, ABrokenFileDefinesAnEntryOfATable) {
  folder_.write("main.cc",
                "#include <thread>\nvoid step();\nvoid (*steps[2])() = {step, nullptr};\nint main() { std::thread t("
                "[] { if (steps[1]) steps[1](); }); t.join(); }\n");
  folder_.write("step.cc", "#error no\nvoid step() {}\n");
  database({{"main.cc", ""}, {"step.cc", ""}});
  EXPECT_EQ(kind(check()), v1::VERDICT_ERROR);
}

TEST_F(Link, ABrokenFileDefinesAVariableOfWhichOnlyTheAddressCounts) {
  folder_.write("main.cc",
                "#include <thread>\nextern int value;\nint* where = &value;\nint main() { std::thread t("
                "[] { if (!where) throw 1; }); t.join(); }\n");
  folder_.write("value.cc", "int value = oops;\n");
  database({{"main.cc", ""}, {"value.cc", ""}});
  EXPECT_EQ(kind(check()), v1::VERDICT_ERROR);
}

TEST_F(Link, ABrokenFileThatNobodyNeedsIsNoErrorOfTheProgram) {
  folder_.write("main.cc", "#include <thread>\nint main() { std::thread t([] {}); t.join(); }\n");
  folder_.write("value.cc", "int value = oops;\n");
  database({{"main.cc", ""}, {"value.cc", ""}});
  EXPECT_EQ(kind(check("main")), v1::VERDICT_CLEAR);
}

TEST_F(Link, AFileThatNeverCompiledMayBeAProgram) {
  folder_.write("main.cc", "#include <thread>\nint main() { std::thread t([] {}); t.join(); }\n");
  folder_.write("other.cc", "#error no\nint main() {}\n");
  database({{"main.cc", ""}, {"other.cc", ""}});
  const Answer answer = check();
  EXPECT_EQ(kind(answer), v1::VERDICT_INCONCLUSIVE);
  EXPECT_TRUE(says(answer, "other.cc does not compile"));
  EXPECT_EQ(answer.final_verdict()->diagnostics_size(), 1);
}

TEST_F(Link, ARegistryInAHeader) {
  folder_.write("reg.h", kInline);
  folder_.write("main.cc", kMain);
  folder_.write("test.cc", test("one", true));
  database({{"main.cc", "main.o"}, {"test.cc", "test.o"}});
  EXPECT_EQ(kind(check()), v1::VERDICT_FINDINGS);
}

TEST_F(Link, ConstructorsAndTheirSectionInC) {
  const std::string begin =
      "#include <pthread.h>\nvoid add_test(void (*)(void));\nstatic int n;\n"
      "static void *work(void *p) { n++; return p; }\n"
      "static void run(void) { pthread_t a; pthread_create(&a, 0, work, 0); n++; pthread_join(a, 0); }\n";
  folder_.write("main.c",
                "static void (*tests[8])(void);\nstatic int count;\n"
                "void add_test(void (*f)(void)) { tests[count++] = f; }\n"
                "int main(void) { for (int i = 0; i < count; i++) tests[i](); return 0; }\n");
  for (const char* how :
       {"__attribute__((constructor)) static void reg(void) { add_test(run); }\n",
        "__attribute__((constructor(200))) void reg(void) { add_test(&run); }\n",
        "static void reg(void) { add_test(run); }\n"
        "__attribute__((used, section(\".init_array\"))) static void (*const at_start)(void) = reg;\n"}) {
    folder_.write("plug.c", begin + how);
    database({{"main.c", ""}, {"plug.c", ""}});
    const Answer racy = check();
    EXPECT_EQ(kind(racy), v1::VERDICT_FINDINGS) << how << racy.text();
  }
}

// Nobody names the function: it runs at the exit, beside the thread that goes on.
TEST_F(Link, FunctionsThatRunAtTheExitInC) {
  folder_.write("main.c",
                "#include <pthread.h>\nint shared;\nstatic void *work(void *p) { shared++; return p; }\n"
                "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_detach(t); return 0; }\n");
  const std::string begin = "extern int shared;\nstatic void use(void) { shared++; }\n";
  for (const char* how :
       {"__attribute__((destructor)) static void last(void) { use(); }\n",
        "__attribute__((destructor(300))) void last(void) { shared = 0; }\n",
        "__attribute__((used, section(\".fini_array\"))) static void (*const at_end)(void) = use;\n"}) {
    folder_.write("plug.c", begin + how);
    database({{"main.c", ""}, {"plug.c", ""}});
    const Answer racy = check();
    EXPECT_EQ(kind(racy), v1::VERDICT_FINDINGS) << how << racy.text();
  }
}

TEST_F(Link, TwoProgramsInOneFolder) {
  folder_.write("reg.h", kRegistry);
  folder_.write("registry.cc", kDefinition);
  folder_.write("a.cc", kMain);
  folder_.write("b.cc", kMain);
  folder_.write("a_plug.cc", test("same", false));
  folder_.write("b_plug.cc", test("same", true));
  const std::string a = "CMakeFiles/a_prog.dir/", b = "CMakeFiles/b_prog.dir/", lib = "CMakeFiles/registry.dir/";
  database({{"a.cc", a + "a.cc.o"},
            {"b.cc", b + "b.cc.o"},
            {"a_plug.cc", a + "a_plug.cc.o"},
            {"b_plug.cc", b + "b_plug.cc.o"},
            {"registry.cc", lib + "registry.cc.o"}});
  EXPECT_EQ(kind(check("a_prog")), v1::VERDICT_CLEAR);
  EXPECT_EQ(kind(check("b_prog")), v1::VERDICT_FINDINGS);
  EXPECT_EQ(kind(check("b")), v1::VERDICT_FINDINGS);
  EXPECT_EQ(targets(check()), Names({"a", "b"}));
  // Without outputs nobody knows which belongs to which; that is said, and no verdict is clear.
  folder_.write("b_plug.cc", test("same", false));
  database({{"a.cc", ""}, {"b.cc", ""}, {"a_plug.cc", ""}, {"b_plug.cc", ""}, {"registry.cc", ""}});
  const Answer unknown = check();
  EXPECT_EQ(kind(unknown), v1::VERDICT_INCONCLUSIVE) << unknown.text();
  EXPECT_TRUE(says(unknown, "b_plug.cc has static constructors")) << unknown.text();
}

TEST_F(Link, TestsWhoseMainIsInALibrary) {
  folder_.write("reg.h", kRegistry);
  folder_.write("fw/fw.cc",
                "#include \"../reg.h\"\nstd::vector<Fn>& registry() { static std::vector<Fn> all; return all; }\n");
  folder_.write("fw/fw_main.cc", "#include \"../reg.h\"\nint main() { for (Fn f : registry()) f(); }\n");
  folder_.write("x_test.cc", test("same", false));
  folder_.write("y_test.cc", test("same", true));
  folder_.write("app.cc",
                "#include <atomic>\n#include <thread>\nstd::atomic<int> n;\nstatic void add() { ++n; }\n"
                "int main() { std::thread t(add); add(); t.join(); }\n");
  const std::vector<Entry> tests = {{"x_test.cc", "CMakeFiles/x_test.dir/x_test.cc.o"},
                                    {"y_test.cc", "CMakeFiles/y_test.dir/y_test.cc.o"},
                                    {"app.cc", "CMakeFiles/app.dir/app.cc.o"}};
  std::vector<Entry> all = tests;
  all.push_back({"fw/fw.cc", "fw/CMakeFiles/fw.dir/fw.cc.o"});
  all.push_back({"fw/fw_main.cc", "fw/CMakeFiles/fw_main.dir/fw_main.cc.o"});
  database(all);
  EXPECT_EQ(kind(check("x_test")), v1::VERDICT_CLEAR);
  EXPECT_EQ(kind(check("y_test")), v1::VERDICT_FINDINGS);
  EXPECT_EQ(targets(check()), Names({"app", "x_test", "y_test"}));
  // The library is not among the sources.
  database(tests);
  const Answer without = check();
  EXPECT_EQ(kind(without), v1::VERDICT_INCONCLUSIVE) << without.text();
  EXPECT_TRUE(says(without, "y_test (y_test.cc) was not checked")) << without.text();
  EXPECT_EQ(kind(check("app")), v1::VERDICT_CLEAR);
  const Answer named = check("y_test");
  EXPECT_EQ(kind(named), v1::VERDICT_ERROR);
  EXPECT_TRUE(says(named, "y_test (y_test.cc) was not checked")) << named.text();
}

TEST_F(Link, AStrongDefinitionTakesThePlaceOfAWeakOne) {
  folder_.write(
      "main.c",
      "#include <pthread.h>\nint n; __attribute__((weak)) void step(void) {}\n"
      "static void *work(void *p) { step(); return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); step(); pthread_join(a, 0); return 0; }\n");
  folder_.write("step.c", "extern int n; void step(void) { n++; }\n");
  database({{"main.c", ""}, {"step.c", ""}});
  EXPECT_EQ(kind(check()), v1::VERDICT_FINDINGS);
}

// The weak one is in a file that main's file needs, and is called there, in main's file, or in a third one.
TEST_F(Link, AStrongDefinitionTakesThePlaceOfAnotherFilesWeakOne) {
  const std::string head =
      "#include <pthread.h>\nvoid run(void); void step(void);\nstatic void *work(void *p) { run(); return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); run(); ";
  folder_.write("step.c", "static int n; void step(void) { n++; }\n");
  const struct {
    const char *library, *third, *in_main;
  } cases[] = {{"__attribute__((weak)) void step(void) {}\nvoid run(void) { step(); }\n", "", ""},
               {"__attribute__((weak)) void step(void) {}\nvoid run(void) { step(); }\n", "", "step();"},
               {"__attribute__((weak)) void step(void) {}\nvoid other(void);\nvoid run(void) { other(); }\n",
                "void step(void);\nvoid other(void) { step(); }\n", ""},
               {"__attribute__((weak)) int limit = 0;\nstatic int k;\nvoid run(void) { if (limit) k++; }\n",
                "int limit = 1;\n", ""}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.library + std::string(one.in_main));
    folder_.write("main.c", head + one.in_main + "pthread_join(a, 0); return 0; }\n");
    folder_.write("library.c", one.library);
    folder_.write("third.c", one.third);
    database({{"main.c", ""}, {"library.c", ""}, {"third.c", ""}, {"step.c", ""}});
    EXPECT_EQ(kind(check()), v1::VERDICT_FINDINGS);
  }
}

TEST_F(Link, LoneFilesOfOneNameHaveBooksOfTheirOwn) {
  const std::string text =
      "#include <pthread.h>\nstatic int n;\nstatic void *work(void *p) { n++; return p; }\n"
      "int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); n++; pthread_join(a, 0); return 0; }\n";
  folder_.write("x.c", text);
  folder_.write("x.cc", "int main() { return 0; }\n");
  folder_.write("x.cpp", "int main() { return 1; }\n");
  EXPECT_EQ(kind(engine_.check(folder_.file("x.c"))), v1::VERDICT_FINDINGS);
  for (const char* name : {"x.cc", "x.cpp"}) {
    const Answer other = engine_.check(folder_.file(name));
    EXPECT_TRUE(other.fixed().empty()) << other.text();
    EXPECT_EQ(other.final_verdict()->scope().compared_with().find("version"), std::string::npos) << other.text();
  }
}

// One source, two programs, other flags: each is checked with the object that it is linked from.
class OwnObjects : public Link {
 protected:
  // Two programs that count to their numbers with lib.c, which locks only if LOCKS is defined.
  void programs(const std::string& one_output, const std::string& one_flags, const std::string& two_output,
                const std::string& two_flags, const std::string& place) {
    folder_.write("lib.c", R"(
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
void bump(void) {
#ifdef LOCKS
  pthread_mutex_lock(&m);
#endif
  n += STEP;
#ifdef LOCKS
  pthread_mutex_unlock(&m);
#endif
}
int value(void) { return n; }
)");
    for (const std::string number : {"2", "4"})
      folder_.write(number == "2" ? "one.c" : "two.c", R"(
#include <assert.h>
#include <pthread.h>
void bump(void);
int value(void);
static void* work(void* p) { bump(); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  bump();
  pthread_join(t, 0);
  assert(value() == )" + number + R"();
  return 0;
}
)");
    std::string text;
    const auto entry = [&](const std::string& file, const std::string& output, const std::string& flags) {
      text += (text.empty() ? "[" : ",\n") + std::string("{\"directory\": \"") + folder_.path() +
              "\", \"command\": \"cc " + flags + " -o " + output + " -c " + file + "\", \"file\": \"" + file +
              "\", \"output\": \"" + output + "\"}";
    };
    entry("lib.c", one_output, one_flags);
    entry("lib.c", two_output, two_flags);
    entry("one.c", place + "one" + kMiddle + "one.c.o", "");
    entry("two.c", place + "two" + kMiddle + "two.c.o", "");
    folder_.write("compile_commands.json", text + "]");
  }
  static constexpr const char* kMiddle = ".dir/";
};

TEST_F(OwnObjects, EachProgramHasItsNumber) {
  programs("CMakeFiles/one.dir/lib.c.o", "-DLOCKS -DSTEP=1", "CMakeFiles/two.dir/lib.c.o", "-DLOCKS -DSTEP=2",
           "CMakeFiles/");
  const Answer answer = check();
  EXPECT_EQ(kind(answer), v1::VERDICT_CLEAR) << answer.text();
  EXPECT_EQ(targets(answer).size(), 2u);
}

TEST_F(OwnObjects, TheSecondProgramRaces) {
  programs("CMakeFiles/one.dir/lib.c.o", "-DLOCKS -DSTEP=1", "CMakeFiles/two.dir/lib.c.o", "-DSTEP=2", "CMakeFiles/");
  const Answer answer = check();
  EXPECT_EQ(kind(answer), v1::VERDICT_FINDINGS) << answer.text();
  EXPECT_EQ(kind(check("one")), v1::VERDICT_CLEAR);
  EXPECT_EQ(kind(check("two")), v1::VERDICT_FINDINGS);
  programs("CMakeFiles/one.dir/lib.c.o", "-DLOCKS -DSTEP=1", "CMakeFiles/two.dir/lib.c.o", "-DLOCKS -DSTEP=2",
           "CMakeFiles/");
  EXPECT_EQ(kind(check()), v1::VERDICT_CLEAR);
}

// The outputs do not say which object belongs to which program.
TEST_F(OwnObjects, WhatIsNotKnownIsSaid) {
  programs("a.o", "-DLOCKS -DSTEP=1", "b.o", "-DLOCKS -DSTEP=1 -DMORE", "CMakeFiles/");
  const Answer answer = check();
  EXPECT_TRUE(says(answer, "several compile commands")) << answer.text();
}

}  // namespace
}  // namespace heddle::engine::test
