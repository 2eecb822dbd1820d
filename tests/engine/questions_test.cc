// What can be asked of a check, and what is said of a project that cannot be checked: texts, flags, bases, mistakes.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "tests/engine/check_fixture.h"

namespace heddle::engine::test {
namespace {

TEST_F(Check, SyntaxErrorLeavesTheLedgerAlone) {
  save(kLocked);
  const Answer broken = save("int main(void) { return 0 }\n" + kLocked);
  EXPECT_EQ(kind(broken), v1::VERDICT_ERROR);
  EXPECT_EQ(broken.final_verdict()->error(), v1::ERROR_BUILD);
  ASSERT_GT(broken.final_verdict()->diagnostics_size(), 0);
  EXPECT_EQ(broken.final_verdict()->diagnostics(0).line(), 1u);
  const Answer again = save(kLocked);
  EXPECT_EQ(kind(again), v1::VERDICT_CLEAR);
  EXPECT_EQ(again.pairs_started(), 0u);
}

v1::Diffed pairs_of(EngineProcess& engine, const std::string& root) {
  v1::Frame frame;
  frame.mutable_pairs()->set_root(root);
  frame.mutable_pairs()->mutable_project()->set_root(root);
  const uint64_t number = engine.send(frame);
  for (int n = 0; n < 100; ++n)
    if (const auto told = engine.receive(10); told && told->request() == number)
      return told->paired().targets_size() == 1 ? told->paired().targets(0).diffed() : v1::Diffed();
  return {};
}

// `heddle pairs` and `heddle why` are about the last edit that changed something between threads, at its lines of now.
TEST_F(Check, PairsAreThoseOfTheLastChange) {
  save(kLocked);
  save(kUnlocked);
  const v1::Diffed change = pairs_of(*engine_, folder_.path());
  ASSERT_GT(change.fragments_size(), 0);
  ASSERT_GT(change.pairs_size(), 0);
  const std::string locked_below = "/* two lines\n more */\n" + kUnlocked;
  struct Save {
    const char* what;
    std::string text;
    int lines;  // by which the fragment has moved
  };
  const auto expect_change = [&](const Save& one) {
    const v1::Diffed now = pairs_of(*engine_, folder_.path());
    EXPECT_EQ(now.pairs_size(), change.pairs_size());
    ASSERT_EQ(now.fragments_size(), change.fragments_size());
    for (int n = 0; n < now.fragments_size(); ++n) {
      EXPECT_EQ(static_cast<int>(now.fragments(n).begin_line()),
                static_cast<int>(change.fragments(n).begin_line()) + one.lines);
      EXPECT_EQ(static_cast<int>(now.fragments(n).end_line()),
                static_cast<int>(change.fragments(n).end_line()) + one.lines);
    }
  };
  for (const Save& one : {Save{"saved again", kUnlocked, 0},
                          {"a comment above", locked_below, 2},
                          {"and without it", kUnlocked, 0},
                          {"a local renamed", counter("", "", "", "number"), 0},
                          {"an unused variable", counter("", "", "  int unused = 3; (void)unused;\n"), 1}}) {
    SCOPED_TRACE(one.what);
    EXPECT_EQ(save(one.text).rules(), Rules{"data-race"});
    expect_change(one);
  }
  restart();
  SCOPED_TRACE("by another engine, and after the edit was taken back and made again");
  save(kUnlocked);
  expect_change({"", "", 0});
  EXPECT_EQ(kind(save(kLocked)), v1::VERDICT_CLEAR);
  EXPECT_TRUE(pairs_of(*engine_, folder_.path()).everything()) << "of the first check";
  EXPECT_EQ(save(kUnlocked).rules(), Rules{"data-race"});
  expect_change({"", "", 0});
}

TEST_F(Check, OneThreadIsRunOnce) {
  const Answer fine = save("int main(void) { return 0; }\n");
  EXPECT_EQ(kind(fine), v1::VERDICT_CLEAR);
  EXPECT_NE(fine.final_verdict()->scope().summary().find("one thread only"), std::string::npos);
  EXPECT_EQ(fine.final_verdict()->stats().executions(), 1u);
  const Answer bad = save("#include <assert.h>\nint main(void) { int x = 3; assert(x == 4); return 0; }\n");
  EXPECT_EQ(bad.rules(), Rules{"assertion"});
}

TEST_F(Check, NoMainIsAUsageErrorWithRemedy) {
  const Answer answer = save("int twice(int x) { return 2 * x; }\n");
  EXPECT_EQ(kind(answer), v1::VERDICT_ERROR);
  EXPECT_EQ(answer.final_verdict()->error(), v1::ERROR_USAGE);
  EXPECT_NE(answer.final_verdict()->message().find("main()"), std::string::npos);
}

TEST_F(Check, MissingFileIsAUsageError) {
  const Answer answer = engine_->check(folder_.file("none.c"));
  EXPECT_EQ(kind(answer), v1::VERDICT_ERROR);
  EXPECT_EQ(answer.final_verdict()->error(), v1::ERROR_USAGE);
}

TEST_F(Check, UnknownExternalIsNamed) {
  const Answer answer = save("int mystery(int);\nint main(void) { return mystery(1); }\n");
  EXPECT_EQ(kind(answer), v1::VERDICT_INCONCLUSIVE);
  const v1::Scope& scope = answer.final_verdict()->scope();
  ASSERT_EQ(scope.unknown_externals_size(), 1);
  EXPECT_EQ(scope.unknown_externals(0).name(), "mystery");
  EXPECT_EQ(scope.unknown_externals(0).places(0).line(), 2u);
  EXPECT_NE(answer.final_verdict()->message().find("mystery"), std::string::npos);
}

// The model of docs/SETTINGS.md for a function that fills memory: one length and two bytes lead to the race.
TEST_F(Check, AModelFillsMemoryWithUnknownBytes) {
  folder_.write(".heddle.yaml", "models: [device.c]\n");
  folder_.write("device.c",
                "int __VERIFIER_nondet_int(void);\nunsigned char __VERIFIER_nondet_uchar(void);\n"
                "void __VERIFIER_assume(int);\nint read_packet(unsigned char *bytes, int size) {\n"
                "  int length = __VERIFIER_nondet_int();\n  __VERIFIER_assume(0 <= length && length <= size);\n"
                "  for (int n = 0; n < length; n++) bytes[n] = __VERIFIER_nondet_uchar();\n  return length;\n}\n");
  const auto program = [](const std::string& guard) {
    return "#include <pthread.h>\nint read_packet(unsigned char *, int);\nstatic int n;\n"
           "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic void *work(void *p) {\n"
           "  unsigned char bytes[3] = {0};\n  if (read_packet(bytes, 3) < 3) return p;\n"
           "  if (bytes[0] == 0x7e && " +
           guard + ") n++;\n  else { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); }\n  return p;\n}\n" +
           "int main(void) {\n  pthread_t a;\n  pthread_create(&a, 0, work, 0);\n  pthread_mutex_lock(&m);\n  n++;\n"
           "  pthread_mutex_unlock(&m);\n  pthread_join(a, 0);\n  return 0;\n}\n";
  };
  const Answer found = save(program("bytes[2] == 200"));
  EXPECT_EQ(found.rules(), Rules{"data-race"}) << found.text();
  EXPECT_EQ(kind(save(program("bytes[2] > 255"))), v1::VERDICT_CLEAR);
}

// What comes after the call was never seen: once the function is known, everything is new.
TEST_F(Check, FunctionThatBecomesKnownIsNoSmallEdit) {
  folder_.write("a.c",
                "#include <pthread.h>\nint mystery(void);\nstatic int n;\n"
                "static void *work(void *p) { n++; return p; }\n"
                "int main(void) {\n  pthread_t a, b;\n  mystery();\n"
                "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
                "  pthread_join(a, 0); pthread_join(b, 0); return 0;\n}\n");
  folder_.write("b.c", "int other(void) { return 1; }\n");
  folder_.write_database({"a.c", "b.c"});
  ASSERT_EQ(kind(engine_->check(folder_.file("a.c"))), v1::VERDICT_INCONCLUSIVE);
  folder_.write("b.c", "int mystery(void) { return 1; }\n");
  const Answer known = engine_->check(folder_.file("a.c"));
  EXPECT_EQ(known.rules(), Rules{"data-race"}) << known.text();
  EXPECT_TRUE(known.diffed()->everything());
}

TEST_F(Check, OverlaysAreChecked) {
  folder_.write("a.c", kLocked);
  engine_->check(folder_.file("a.c"));
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_document_version(7);
  v1::Overlay& overlay = *request.add_overlays();
  overlay.set_path(folder_.file("a.c"));
  overlay.set_text(kUnlocked);
  const Answer answer = engine_->check(request);
  EXPECT_EQ(answer.rules(), Rules{"data-race"});
  EXPECT_EQ(answer.events.back().version(), 7);
  EXPECT_EQ(kind(engine_->check(folder_.file("a.c"))), v1::VERDICT_CLEAR);
}

// The daemon stands in another folder than whoever typed them.
TEST_F(Check, FlagsAreRelativeToWhereTheyWereTyped) {
  folder_.write("include/total.h", "static int total;\n");
  folder_.write("src/a.c", "#include <total.h>\nint main(void) { return total; }\n");
  v1::CheckRequest request = request_for(folder_.file("src/a.c"));
  request.set_root(folder_.path());
  request.add_flags("-Iinclude");
  EXPECT_EQ(kind(engine_->check(request)), v1::VERDICT_CLEAR);
  request.clear_flags();
  EXPECT_NE(engine_->check(request).final_verdict()->message().find("give them after `--`"), std::string::npos);
  request.add_flags("-Inowhere");
  EXPECT_EQ(engine_->check(request).final_verdict()->message().find("give them after `--`"), std::string::npos);
}

// Asked from where the check was asked for, whoever answers: another folder than the file's, a new engine, no files.
TEST(Questions, AFindingIsFoundFromWhereTheFlagsWereTyped) {
  for (const char* const place : {"XDG_CACHE_HOME", "HEDDLE_CACHE_DIR"}) {
    ProjectFolder folder;
    folder.write("src/a.c", kUnlocked);
    folder.write("elsewhere/flags.h", "");
    const EngineProcess::Options options{{{place, folder.file("cache")}}, 0};
    const std::string here = folder.file("elsewhere");
    EngineProcess first(options);
    v1::CheckRequest request = request_for(folder.file("src/a.c"));
    request.set_root(here);
    request.add_flags("-I.");
    EXPECT_EQ(first.check(request).rules(), Rules{"data-race"});
    EngineProcess second(options);
    for (EngineProcess* engine : {&first, &second}) {
      v1::Frame frame;
      frame.mutable_show()->set_root(here);
      frame.mutable_show()->set_all(true);
      frame.mutable_show()->mutable_project()->set_root(here);
      engine->send(frame);
      const auto answer = engine->receive(5);
      ASSERT_TRUE(answer && answer->has_shown());
      ASSERT_EQ(answer->shown().findings_size(), 1) << place << ": " << answer->shown().error();
      EXPECT_EQ(answer->shown().findings(0).rule(), "data-race");
    }
  }
}

v1::ProjectStatus status_of(EngineProcess& engine, const std::string& root) {
  v1::Frame frame;
  frame.mutable_status()->set_root(root);
  engine.send(frame);
  const auto answer = engine.receive(5);
  EXPECT_TRUE(answer && answer->has_status_is());
  return answer ? answer->status_is() : v1::ProjectStatus();
}

// A program whose file was deleted or renamed, that left the database, that has no main() any more: its findings are
// not open for any client, and are open again when it is back. What is left on the disk is enough for some of it.
TEST(Questions, FindingsOfProgramsThatAreGoneAreNotOpen) {
  struct Way {
    const char* name;
    std::function<void(const ProjectFolder&)> go;
    uint32_t left;            // after the next check
    bool seen_without_check;  // that it is gone
  };
  const auto remove = [](const char* file) {
    return [file](const ProjectFolder& folder) { std::filesystem::remove(folder.file(file)); };
  };
  const Way ways[] = {
      {"deleted", remove("b.c"), 1, true},
      {"renamed, not in the database",
       [](const ProjectFolder& folder) { std::filesystem::rename(folder.file("b.c"), folder.file("z.c")); }, 1, true},
      {"left the database", [](const ProjectFolder& folder) { folder.write_database({"a.c"}); }, 1, false},
      {"renamed with its entry",
       [](const ProjectFolder& folder) {
         std::filesystem::rename(folder.file("b.c"), folder.file("z.c"));
         folder.write_database({"a.c", "z.c"});
       },
       2, true},
      {"no main()", [](const ProjectFolder& folder) { folder.write("b.c", "int b;\n"); }, 1, false},
      {"no program at all",
       [](const ProjectFolder& folder) {
         folder.write("a.c", "int a;\n");
         folder.write("b.c", "int b;\n");
       },
       0, false},
      {"no database", remove("compile_commands.json"), 0, true},
  };
  for (const Way& way : ways) {
    SCOPED_TRACE(way.name);
    ProjectFolder folder;
    const auto begin = [&] {
      folder.write("a.c", kUnlocked);
      folder.write("b.c", kUnlocked);
      folder.write_database({"a.c", "b.c"});
    };
    begin();
    EngineProcess engine;
    v1::CheckRequest all;
    all.set_root(folder.path());
    engine.check(all);
    ASSERT_EQ(status_of(engine, folder.path()).open_findings(), 2u);
    way.go(folder);
    EXPECT_EQ(status_of(engine, folder.path()).open_findings(), way.seen_without_check ? std::min(way.left, 1u) : 2u);
    engine.check(all);
    EXPECT_EQ(status_of(engine, folder.path()).open_findings(), way.left);
    EngineProcess another;
    EXPECT_EQ(status_of(another, folder.path()).open_findings(), way.left);
    begin();
    engine.check(all);
    const v1::ProjectStatus back = status_of(engine, folder.path());
    EXPECT_EQ(back.open_findings(), 2u) << back.DebugString();
  }
}

TEST(Questions, FindingsOfALoneFileThatIsGoneAreNotOpen) {
  ProjectFolder folder;
  folder.write("a.c", kUnlocked);
  folder.write("b.c", kUnlocked);
  EngineProcess engine;
  for (const char* const file : {"a.c", "b.c"}) engine.check(folder.file(file));
  ASSERT_EQ(status_of(engine, folder.path()).open_findings(), 2u);
  std::filesystem::remove(folder.file("b.c"));
  EXPECT_EQ(status_of(engine, folder.path()).open_findings(), 1u);
  folder.write("a.c", "int a;\n");
  engine.check(folder.file("a.c"));
  EXPECT_EQ(status_of(engine, folder.path()).open_findings(), 0u);
}

v1::PairsResponse pairs_of(EngineProcess& engine, const ProjectFolder& folder, const std::string& file) {
  v1::Frame frame;
  frame.mutable_pairs()->set_root(folder.path());
  frame.mutable_pairs()->mutable_project()->set_root(folder.path());
  if (!file.empty()) frame.mutable_pairs()->mutable_project()->add_files(folder.file(file));
  engine.send(frame);
  const auto answer = engine.receive(20);
  EXPECT_TRUE(answer && answer->has_paired());
  return answer ? answer->paired() : v1::PairsResponse();
}

// The pairs are of the version that compiled; a trial of another text, and an error that was mended, are no errors.
TEST(Questions, PairsSayWhatDoesNotCompile) {
  ProjectFolder folder;
  folder.write("a.c", kUnlocked);
  folder.write("b.c", "int main(void) { return 0; }\n");
  folder.write("b.h", "int x\n");
  folder.write_database({"a.c", "b.c"});
  v1::CheckRequest all;
  all.set_root(folder.path());
  EngineProcess engine;
  engine.check(all);
  EXPECT_EQ(pairs_of(engine, folder, "").diagnostics_size(), 0);
  v1::CheckRequest trial = all;
  trial.set_trial(true);
  trial.add_overlays()->set_path(folder.file("a.c"));
  trial.mutable_overlays(0)->set_text("int main(void) {");
  engine.check(trial);
  EXPECT_EQ(pairs_of(engine, folder, "a.c").diagnostics_size(), 0) << "a trial";
  folder.write("b.c", "#include \"b.h\"\nint main(void) { return 0; }\n");
  engine.check(all);
  for (const char* const file : {"", "b.c", "b.h"}) {
    const v1::PairsResponse broken = pairs_of(engine, folder, file);
    ASSERT_EQ(broken.diagnostics_size(), 1) << file << broken.DebugString();
    EXPECT_EQ(broken.diagnostics(0).file(), folder.file("b.h"));
    EXPECT_EQ(broken.diagnostics(0).line(), 1u);
    // Of the version that compiled, which had no b.h.
    const std::string name = file;
    EXPECT_EQ(broken.targets_size(), name.empty() ? 2 : name == "b.c" ? 1 : 0) << name;
  }
  EXPECT_EQ(pairs_of(engine, folder, "a.c").diagnostics_size(), 0) << "another file";
  folder.write("b.h", "int x;\n");
  EXPECT_EQ(pairs_of(engine, folder, "b.c").diagnostics_size(), 0) << "it compiles now";
}

// As findings are shown: what follows from a race, or is suppressed, is no further defect.
TEST(Questions, StatusCountsDefects) {
  const std::string text =
      "#include <assert.h>\n#include <pthread.h>\nstatic int n;\nstatic void *work(void *p) {\n  n++;\n  return p;\n}\n"
      "int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, work, 0);\n  pthread_create(&b, 0, work, 0);\n"
      "  pthread_join(a, 0);\n  pthread_join(b, 0);\n  assert(n == 2);\n  return 0;\n}\n";
  ProjectFolder folder;
  folder.write("a.c", text);
  EngineProcess engine;
  const Answer answer = engine.check(folder.file("a.c"));
  const v1::Verdict& verdict = *answer.final_verdict();
  ASSERT_GT(verdict.findings(), 1u) << answer.text();
  ASSERT_EQ(verdict.findings() - verdict.consequences() - verdict.grouped(), 1u) << answer.text();
  EXPECT_EQ(status_of(engine, folder.path()).open_findings(), 1u);
  EngineProcess another;
  const v1::ProjectStatus fresh = status_of(another, folder.path());
  EXPECT_EQ(fresh.open_findings(), 1u);
  EXPECT_TRUE(fresh.complete()) << "as the ledger has it" << fresh.DebugString();
  std::string accepted = text;
  accepted.insert(accepted.find("  n++;"), "  // heddle: ignore[*] a test\n");
  accepted.insert(accepted.find("  assert(n == 2);"), "  // heddle: ignore[*] a test\n");
  folder.write("a.c", accepted);
  engine.check(folder.file("a.c"));
  EXPECT_EQ(status_of(engine, folder.path()).open_findings(), 0u);
}

// Each file without a database has an engine of its own in the daemon, and all of them the books of their folder.
TEST(Questions, StatusOfALoneFileIsItsOwn) {
  ProjectFolder folder;
  folder.write("a.c", kUnlocked);
  folder.write("b.c", kUnlocked);
  EngineProcess engine;
  for (const char* const file : {"a.c", "b.c"}) engine.check(folder.file(file));
  v1::Frame frame;
  frame.mutable_status()->set_root(folder.path());
  frame.mutable_status()->mutable_project()->set_root(folder.path());
  frame.mutable_status()->mutable_project()->add_files(folder.file("a.c"));
  engine.send(frame);
  const auto answer = engine.receive(5);
  ASSERT_TRUE(answer && answer->has_status_is());
  EXPECT_EQ(answer->status_is().open_findings(), 1u);
  EXPECT_EQ(answer->status_is().targets_size(), 1);
}

TEST_F(Check, GivenBase) {
  folder_.write("a.c", kUnlocked);
  folder_.write("old/a.c", kLocked);
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_base(folder_.file("old/a.c"));
  const Answer file = engine_->check(request);
  EXPECT_EQ(file.rules(), Rules{"data-race"});
  EXPECT_FALSE(file.diffed()->everything());
  request.set_base(folder_.file("old"));
  const Answer folder = engine_->check(request);
  EXPECT_EQ(folder.rules(), Rules{"data-race"});
  EXPECT_FALSE(folder.diffed()->everything());
  request.set_base(folder_.file("nowhere"));
  EXPECT_EQ(engine_->check(request).final_verdict()->error(), v1::ERROR_USAGE);
}

}  // namespace
}  // namespace heddle::engine::test
