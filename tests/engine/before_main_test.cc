// What units do before main, through a real engine process: constructors that come and go with their unit, and those that
// affect the whole process.
#include <filesystem>
#include <utility>

#include "tests/engine/link_fixture.h"

namespace heddle::engine::test {
namespace {

// What a unit did before main is gone with it: with its constructor, its entry of the database, its file.
class BeforeMain : public Link {
 protected:
  void SetUp() override {
    folder_.write("main.c",
                  "#include <pthread.h>\nint mode;\nstatic int h;\nstatic pthread_mutex_t m = "
                  "PTHREAD_MUTEX_INITIALIZER;\nint get(void) { if (!h) h = 1; return h; }\n"
                  "static void *work(void *p) { if (mode) pthread_mutex_lock(&m); get(); "
                  "if (mode) pthread_mutex_unlock(&m); return p; }\n"
                  "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); }\n");
  }
  void set(const std::string& before, const std::string& file = "plug.c") {
    folder_.write(file, "int get(void); extern int mode;\n" + before);
    database({{"main.c", ""}, {file, ""}});
  }
  static constexpr const char* kGets = "__attribute__((constructor)) static void run(void) { get(); }\n";
  static constexpr const char* kLocks = "__attribute__((constructor)) static void run(void) { mode = 1; }\n";
  static constexpr const char* kNone = "int other;\n";
};

TEST_F(BeforeMain, AConstructorThatGoes) {
  for (const char* how :
       {kGets, kLocks,
        "static void run(void) { get(); }\n"
        "__attribute__((used, section(\".init_array\"))) static void (*const at_start)(void) = run;\n",
        "__attribute__((constructor)) static void run(void) { mode = 1; }\n"
        "__attribute__((destructor)) static void last(void) { mode = 0; }\n"}) {
    SCOPED_TRACE(how);
    for (const bool there : {true, false, true}) {
      set(there ? how : kNone);
      EXPECT_EQ(kind(check()), there ? v1::VERDICT_CLEAR : v1::VERDICT_FINDINGS);
    }
  }
}

TEST_F(BeforeMain, AUnitThatLeavesTheDatabase) {
  for (const bool deleted : {false, true}) {
    set(kGets);
    EXPECT_EQ(kind(check()), v1::VERDICT_CLEAR);
    database({{"main.c", ""}});
    if (deleted) std::filesystem::remove(folder_.file("plug.c"));
    EXPECT_EQ(kind(check()), v1::VERDICT_FINDINGS);
  }
}

// Another unit of its file name stays.
TEST_F(BeforeMain, AUnitOfAnotherFoldersFileName) {
  folder_.write("a/plug.c", "int get(void);\n" + std::string(kGets));
  folder_.write("b/plug.c",
                "extern int get(void), mode;\n__attribute__((constructor)) static void run(void) { mode = 0; }\n");
  database({{"main.c", ""}, {"a/plug.c", ""}, {"b/plug.c", ""}});
  EXPECT_EQ(kind(check()), v1::VERDICT_CLEAR);
  database({{"main.c", ""}, {"b/plug.c", ""}});
  EXPECT_EQ(kind(check()), v1::VERDICT_FINDINGS);
}

// They run in the order in which the units are linked.
TEST_F(BeforeMain, ConstructorsOfAUnitThatMoves) {
  folder_.write("n.c", "extern int mode;\n__attribute__((constructor)) static void run(void) { mode = 0; }\n");
  for (const char* place : {"z.c", "a.c"}) {
    folder_.write(place, "extern int mode;\n__attribute__((constructor)) static void lock(void) { mode = 1; }\n");
    database({{"main.c", ""}, {"n.c", ""}, {place, ""}});
    EXPECT_EQ(kind(check()), place[0] == 'z' ? v1::VERDICT_CLEAR : v1::VERDICT_FINDINGS);
  }
}

// Of a revision, without a ledger: its units are those that it had.
TEST_F(BeforeMain, AgainstARevision) {
  for (const bool deleted : {false, true}) {
    SCOPED_TRACE(deleted);
    set(kNone);
    v1::CheckRequest request;
    request.set_root(folder_.path());
    request.add_files(folder_.file("plug.c"));
    v1::Overlay& old = *request.mutable_base_texts()->add_files();
    old.set_path(folder_.file("plug.c"));
    old.set_text("int get(void);\n" + std::string(kGets));
    request.mutable_base_texts()->set_name("HEAD");
    if (deleted) {
      std::filesystem::remove(folder_.file("plug.c"));
      database({{"main.c", ""}});
    }
    const Answer answer = EngineProcess().check(request);
    EXPECT_EQ(kind(answer), v1::VERDICT_FINDINGS) << answer.text();
    EXPECT_EQ(says(answer, "plug.c of HEAD is gone"), deleted) << answer.text();
    old.set_text("int other;\n");
    EXPECT_EQ(kind(EngineProcess().check(request)), deleted ? v1::VERDICT_CLEAR : v1::VERDICT_ERROR)
        << "no program needs it, then or now";
    old.set_text("#error not here\n");
    EXPECT_EQ(kind(EngineProcess().check(request)), deleted ? v1::VERDICT_FINDINGS : v1::VERDICT_ERROR);
  }
}

// Its constructors use nothing of another unit, and change what the whole process shares.
TEST_F(BeforeMain, ConstructorsThatCallTheLibraryOnly) {
  const std::string head =
      "#include <pthread.h>\n#include <signal.h>\n#include <stdlib.h>\n"
      "#include <unistd.h>\n#include <string.h>\nvoid *_ZSt15get_new_handlerv(void);\nstatic int n;\nstatic void "
      "*work(void *p) { if (";
  const std::string tail =
      ") n++; return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); return 0; }\n";
  const struct {
    const char *condition, *effect;
  } cases[] = {
      {"getenv(\"MODE\")", "setenv(\"MODE\", \"1\", 1)"},
      {"getenv(\"MODE\")", "putenv(\"MODE=1\")"},
      {"access(\"made\", F_OK) == 0", "open(\"made\", O_CREAT | O_WRONLY, 0600)"},
      {"({ static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static long drawn; pthread_mutex_lock(&m); "
       "if (!drawn) drawn = mrand48(); const long now = drawn; pthread_mutex_unlock(&m); now == 34569393; })",
       "srand48(9)"},
      {"access(\"made\", F_OK) == 0", "mkdirat(AT_FDCWD, \"made\", 0700)"},
      {"getenv(\"MODE\")", "extern char **environ; static char *mine[] = {\"MODE=1\", 0}; environ = mine"},
      {"_ZSt15get_new_handlerv()", "_ZSt15set_new_handlerPFvvE(abort)"},
      {"({ struct sigaction a; sigaction(SIGUSR1, 0, &a); a.sa_handler == SIG_IGN; })", "signal(SIGUSR1, SIG_IGN)"}};
  for (const auto& one : cases) {
    SCOPED_TRACE(one.effect);
    folder_.write("main.c", head + one.condition + tail);
    database({{"main.c", ""}});
    EXPECT_EQ(kind(check()), v1::VERDICT_CLEAR);
    folder_.write("plug.c",
                  "#include <fcntl.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <sys/stat.h>\n"
                  "void *_ZSt15set_new_handlerPFvvE(void (*)(void));\nstatic void set(void) { " +
                      std::string(one.effect) + "; }\n__attribute__((constructor)) static void run(void) { set(); }\n");
    database({{"main.c", ""}, {"plug.c", ""}});
    const Answer racy = check();
    EXPECT_EQ(kind(racy), v1::VERDICT_FINDINGS) << racy.text();
    EXPECT_TRUE(says(racy, "plug.c is linked")) << racy.text();
  }
}

// With two programs it is not known which one has it; and what affects nothing outside is part of none.
TEST_F(BeforeMain, WhichProgramHasTheConstructorIsSaid) {
  const std::string text =
      "#include <pthread.h>\nstatic void *work(void *p) { return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }\n";
  folder_.write("a.c", text);
  folder_.write("b.c", text);
  folder_.write("plug.c", "#include <stdlib.h>\n__attribute__((constructor)) static void run(void) { srand(1); }\n");
  database({{"a.c", ""}, {"b.c", ""}, {"plug.c", ""}});
  const Answer unknown = check();
  EXPECT_EQ(kind(unknown), v1::VERDICT_INCONCLUSIVE) << unknown.text();
  EXPECT_TRUE(says(unknown, "plug.c was not checked: its static constructors call srand()")) << unknown.text();
  folder_.write("plug.cc",
                "#include <iostream>\n#include <string>\nstatic std::string name = \"of this file alone\";\n");
  database({{"a.c", ""}, {"plug.cc", ""}});
  const Answer plain = check();
  EXPECT_EQ(kind(plain), v1::VERDICT_CLEAR) << plain.text();
  EXPECT_FALSE(says(plain, "plug.cc")) << plain.text();
}

// With and without a ledger alike: what does compile is explored, unless it needs what does not.
TEST_F(BeforeMain, AUnitThatNoLongerCompiles) {
  const std::string plain =
      "#include <pthread.h>\nint mode, n; int get(void);\nstatic void *work(void *p) { return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); }\n";
  std::string racy = plain, needs = plain;
  racy.replace(racy.find("return p;"), 9, "n++; return p;").replace(racy.find("pthread_join"), 0, "n++; ");
  needs.replace(needs.find("return p;"), 9, "get(); return p;");
  for (const auto& [edited, expected] :
       {std::pair(plain, v1::VERDICT_INCONCLUSIVE), {racy, v1::VERDICT_FINDINGS}, {needs, v1::VERDICT_ERROR}}) {
    const std::string plug =
        std::string("int get(void) { return 1; }\nextern int mode;\n") + kLocks + "/* " + edited + " */";
    folder_.write("main.c", edited == needs ? needs : plain);
    set(plug);
    EXPECT_EQ(kind(check()), v1::VERDICT_CLEAR);
    const ProjectFolder fresh;
    EngineProcess other;
    v1::CheckRequest request;
    request.set_root(fresh.path());
    for (const ProjectFolder* folder : {&std::as_const(folder_), &fresh}) {
      folder->write("main.c", edited);
      folder->write("plug.c", plug + "\n#error oops\n");
      folder->write_database({"main.c", "plug.c"});
    }
    for (const Answer& answer : {check(), other.check(request)}) {
      EXPECT_EQ(kind(answer), expected) << answer.text();
      EXPECT_EQ(answer.final_verdict()->diagnostics_size(), 1) << answer.text();
      EXPECT_TRUE(says(answer, "plug.c")) << answer.text();
    }
  }
}

}  // namespace
}  // namespace heddle::engine::test
