// Text that changes without a change of any file that was read: headers that appear or come back, links that lead
// elsewhere. Through a real engine process, warm and fresh.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

namespace fs = std::filesystem;

const std::string kLocked =
    "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int n;\n"
    "static void add(void) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); }\n";
const std::string kBare =
    "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int n;\n"
    "static void add(void) { n++; (void)m; }\n";
const std::string kMain =
    "static void *work(void *p) { add(); return p; }\n"
    "int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); add(); pthread_join(a, 0); return 0; }\n";

class Inputs : public ::testing::TestWithParam<bool> {
 protected:
  void database(const std::string& flags, const std::string& file = "m.c") const {
    folder_.write("compile_commands.json", "[{\"directory\": \"" + folder_.path() + "\", \"command\": \"cc " + flags +
                                               " -c " + file + "\", \"file\": \"" + file + "\"}]");
  }
  // By a fresh engine or by the one that knows the version before.
  v1::VerdictKind check(const std::string& file = "m.c") {
    if (GetParam()) engine_ = std::make_unique<EngineProcess>();
    const Answer answer = engine_->check(folder_.file(file));
    last_ = answer.text();
    return answer.final_verdict()->kind();
  }
  void folder(const std::string& name) const { fs::create_directories(folder_.file(name)); }
  void link(const std::string& to, const std::string& name) const {
    std::error_code ignored;
    fs::remove(folder_.file(name), ignored);
    fs::create_symlink(to, folder_.file(name));
  }
  void settle() const { usleep(60'000); }  // folders whose times say something

  ProjectFolder folder_;
  std::unique_ptr<EngineProcess> engine_ = std::make_unique<EngineProcess>();
  std::string last_;
};

TEST_P(Inputs, AHeaderThatIsAskedForAppearsAndGoes) {
  folder_.write("m.c", "#if __has_include(\"opt.h\")\n#include \"opt.h\"\n#else\n" + kLocked + "#endif\n" + kMain);
  database("");
  settle();
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  folder_.write("opt.h", kBare);
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
  fs::remove(folder_.file("opt.h"));
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
}

TEST_P(Inputs, AHeaderThatIsOnlyAskedFor) {
  folder_.write("m.c", kLocked +
                           "static void *work(void *p) {\n#if __has_include(<cfg/skip.h>)\n  n++;\n#else\n"
                           "  add();\n#endif\n  return p; }\n"
                           "int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); add();\n"
                           "  pthread_join(a, 0); return 0; }\n");
  folder("inc");
  database("-Iinc");
  settle();
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  folder("inc/cfg");
  settle();
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  folder_.write("inc/cfg/skip.h", "");
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
  fs::remove_all(folder_.file("inc/cfg"));
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
}

TEST_P(Inputs, AHeaderThatShadowsAnother) {
  folder("inc1");
  folder("inc2");
  folder_.write("inc2/lock.h", kLocked);
  folder_.write("m.c", "#include \"lock.h\"\n" + kMain);
  database("-Iinc1 -Iinc2");
  settle();
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  folder_.write("inc1/lock.h", kBare);
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
  fs::remove(folder_.file("inc1/lock.h"));
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  folder_.write("lock.h", kBare);  // beside the file that includes it
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
}

TEST_P(Inputs, TheNextOfThatName) {
  for (const char* name : {"inc1", "inc2", "inc3"}) folder(name);
  folder_.write("inc1/lock.h", "#include_next <lock.h>\n");
  folder_.write("inc3/lock.h", kLocked);
  folder_.write("m.c", "#include <lock.h>\n" + kMain);
  database("-isystem inc1 -isystem inc2 -isystem inc3");
  settle();
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  folder_.write("inc2/lock.h", kBare);
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
}

TEST_P(Inputs, AFolderThatIsNotThereYet) {
  folder("inc2/a");
  folder_.write("inc2/a/lock.h", kLocked);
  folder_.write("m.c", "#include <a/lock.h>\n" + kMain);
  database("-Igenerated/include -Iinc2");
  settle();
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  folder("generated/include/a");
  folder_.write("generated/include/a/lock.h", kBare);
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
}

TEST_P(Inputs, LinksToAFolderAndToAFileAndChainsOfThem) {
  folder("v1");
  folder("v2");
  folder_.write("v1/x.h", kLocked);
  folder_.write("v2/x.h", kBare);
  link("v1", "cur");
  link("cur", "chain");
  link("v1/x.h", "x.h");
  for (const char* name : {"cur/x.h", "chain/x.h", "x.h", "chain/../chain/x.h"}) {
    const std::string file = std::string("of_") + std::to_string(std::string(name).size()) + ".c";
    link("v1", "cur");
    link("v1/x.h", "x.h");
    folder_.write(file, "#include \"" + std::string(name) + "\"\n" + kMain);
    database("", file);
    EXPECT_EQ(check(file), v1::VERDICT_CLEAR) << name << last_;
    link("v2", "cur");
    link("v2/x.h", "x.h");
    EXPECT_EQ(check(file), v1::VERDICT_FINDINGS) << name << last_;
    link("v1", "cur");
    link("v1/x.h", "x.h");
    EXPECT_EQ(check(file), v1::VERDICT_CLEAR) << name << last_;
  }
}

TEST_P(Inputs, ALinkThatIsSearchedAndOneThatLeadsNowhere) {
  folder("v1/include");
  folder("v2/include");
  folder("inc2");
  folder_.write("v2/include/lock.h", kBare);
  folder_.write("inc2/lock.h", kLocked);
  link("v1", "cur");
  folder("inc1");
  link("../later.h", "inc1/lock.h");
  folder_.write("m.c", "#include <lock.h>\n" + kMain);
  database("-Iinc1 -Icur/include -Iinc2");
  settle();
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  link("v2", "cur");
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
  link("v1", "cur");
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  settle();
  folder_.write("later.h", kBare);
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
}

TEST_P(Inputs, AMissingHeaderComesBack) {
  folder("inc");
  folder_.write("inc/h.h", kLocked);
  folder_.write("m.c", "#include \"h.h\"\n" + kMain);
  database("-Iinc");
  settle();
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
    fs::rename(folder_.file("inc/h.h"), folder_.file("h.bak"));
    EXPECT_EQ(check(), v1::VERDICT_ERROR) << last_;
    fs::rename(folder_.file("h.bak"), folder_.file("inc/h.h"));
  }
  folder_.write("m.c", "#include \"new.h\"\n" + kMain);
  EXPECT_EQ(check(), v1::VERDICT_ERROR) << last_;
  folder_.write("new.h", kBare);
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
}

TEST_P(Inputs, TheLibrarysHeadersOfCxx) {
  const std::string body =
      "static int n;\nstatic std::mutex m;\nstatic void add() { GUARD; n++; }\n"
      "int main() { std::thread t(add); add(); t.join(); }\n";
  folder("inc");
  folder_.write("own.h",
                "#define GUARD std::lock_guard<std::mutex> g(m)\n#ifdef NONE\n#undef GUARD\n#define GUARD\n#endif\n");
  folder_.write("m.cc", "#include <thread>\n#include <mutex>\n#include <version>\n#include \"own.h\"\n" + body);
  database("-std=c++17 -Iinc", "m.cc");
  settle();
  EXPECT_EQ(check("m.cc"), v1::VERDICT_CLEAR) << last_;
  folder_.write("own.h",
                "#define GUARD std::lock_guard<std::mutex> g(m)\n#ifdef NONE\n#undef GUARD\n#define GUARD\n#endif\n\n");
  EXPECT_EQ(check("m.cc"), v1::VERDICT_CLEAR) << last_;
  folder_.write("inc/version", "#define NONE\n");
  EXPECT_EQ(check("m.cc"), v1::VERDICT_FINDINGS) << last_;
}

TEST_P(Inputs, WhatIsEmbedded) {
  folder_.write("m.c", kLocked +
                           "static const unsigned char which[] = {\n#embed \"which.bin\"\n};\n"
                           "static void *work(void *p) { if (which[0] == 'x') n++; else add(); return p; }\n"
                           "int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); add();\n"
                           "  pthread_join(a, 0); return 0; }\n");
  folder_.write("which.bin", "a");
  database("");
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  folder_.write("which.bin", "x");
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
}

// One file by two names is taken once, two files of the same text twice.
TEST_P(Inputs, AHardLinkBecomesACopyAndTheOtherWayRound) {
  folder_.write("x.h",
                "#pragma once\n#ifdef TAKEN\n#define add() (n++)\n#else\n#define TAKEN\n" + kLocked + "#endif\n");
  const auto link_hard = [&] {
    fs::remove(folder_.file("y.h"));
    fs::create_hard_link(folder_.file("x.h"), folder_.file("y.h"));
  };
  link_hard();
  folder_.write("m.c", "#include \"x.h\"\n#include \"y.h\"\n" + kMain);
  database("");
  settle();
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
    fs::remove(folder_.file("y.h"));
    fs::copy_file(folder_.file("x.h"), folder_.file("y.h"));
    fs::last_write_time(folder_.file("y.h"), fs::last_write_time(folder_.file("x.h")));
    EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
    link_hard();
  }
}

TEST_P(Inputs, AHardLinkIsWrittenThroughItsOtherName) {
  folder("elsewhere");
  folder_.write("elsewhere/x.h", kLocked);
  fs::create_hard_link(folder_.file("elsewhere/x.h"), folder_.file("x.h"));
  folder_.write("m.c", "#include \"x.h\"\n" + kMain);
  database("");
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  folder_.write("elsewhere/x.h", kBare);
  EXPECT_EQ(check(), v1::VERDICT_FINDINGS) << last_;
  folder_.write("elsewhere/x.h", kLocked);
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
}

TEST_P(Inputs, AUnitWithHardLinksIsCompiledOnce) {
  folder_.write("x.h", "#pragma once\n" + kLocked);
  fs::create_hard_link(folder_.file("x.h"), folder_.file("y.h"));
  folder_.write("m.c", "#include \"x.h\"\n#include \"y.h\"\n" + kMain);
  database("");
  EXPECT_EQ(check(), v1::VERDICT_CLEAR) << last_;
  settle();
  if (GetParam()) engine_ = std::make_unique<EngineProcess>();
  EXPECT_TRUE(engine_->check(folder_.file("m.c")).compiled().empty());
}

// Each file keeps its text, size and time; only their names go round.
TEST_P(Inputs, TwoFilesExchangeTheirNames) {
  folder_.write("used.h", kLocked);
  folder_.write("other.h", kBare + "/* as long as the one with the calls of lock and unlock .......... */\n");
  folder_.write("m.c", "#include \"used.h\"\n" + kMain);
  database("");
  settle();
  for (int round = 0; round < 2; ++round) {
    for (const auto expected : {v1::VERDICT_CLEAR, v1::VERDICT_FINDINGS}) {
      EXPECT_EQ(check(), expected) << last_;
      fs::rename(folder_.file("used.h"), folder_.file("between"));
      fs::rename(folder_.file("other.h"), folder_.file("used.h"));
      fs::rename(folder_.file("between"), folder_.file("other.h"));
    }
  }
}

TEST_P(Inputs, TwoSourcesExchangeTheirNames) {
  folder_.write("m.c", kLocked + kMain);
  folder_.write("other.c", kBare + kMain);
  database("");
  settle();
  for (const auto expected : {v1::VERDICT_CLEAR, v1::VERDICT_FINDINGS, v1::VERDICT_CLEAR}) {
    EXPECT_EQ(check(), expected) << last_;
    fs::rename(folder_.file("m.c"), folder_.file("between"));
    fs::rename(folder_.file("other.c"), folder_.file("m.c"));
    fs::rename(folder_.file("between"), folder_.file("other.c"));
  }
}

TEST_P(Inputs, TwoFoldersExchangeTheirNames) {
  for (const char* name : {"v1/deep", "v2/deep", "late"}) folder(name);
  folder_.write("v1/deep/lock.h", kLocked);
  folder_.write("v2/deep/lock.h", kBare);
  folder_.write("late/lock.h", kLocked);
  folder_.write("m.c", "#include <deep/lock.h>\n" + kMain);
  database("-Iv1");
  settle();
  const auto exchange = [&](const std::string& one, const std::string& other) {
    fs::rename(folder_.file(one), folder_.file("between"));
    fs::rename(folder_.file(other), folder_.file(one));
    fs::rename(folder_.file("between"), folder_.file(other));
  };
  for (const auto expected : {v1::VERDICT_CLEAR, v1::VERDICT_FINDINGS, v1::VERDICT_CLEAR}) {
    EXPECT_EQ(check(), expected) << last_;
    exchange("v1", "v2");
  }
  exchange("v1", "v2");  // v1 has the right one again
  for (const auto expected : {v1::VERDICT_CLEAR, v1::VERDICT_FINDINGS}) {
    EXPECT_EQ(check(), expected) << last_;
    exchange("v1/deep", "v2/deep");
  }
}

// The folder that is searched first has no such header, the one that takes its place has.
TEST_P(Inputs, AFolderWithoutTheHeaderMakesRoomForOneWithIt) {
  for (const char* name : {"empty", "full", "last"}) folder(name);
  folder_.write("full/lock.h", kBare);
  folder_.write("last/lock.h", kLocked);
  folder_.write("m.c", "#include <lock.h>\n" + kMain);
  database("-Iempty -Ilast");
  settle();
  for (const auto expected : {v1::VERDICT_CLEAR, v1::VERDICT_FINDINGS, v1::VERDICT_CLEAR}) {
    EXPECT_EQ(check(), expected) << last_;
    fs::rename(folder_.file("empty"), folder_.file("between"));
    fs::rename(folder_.file("full"), folder_.file("empty"));
    fs::rename(folder_.file("between"), folder_.file("full"));
  }
}

// Where headers are searched may stand in the environment only.
TEST(InputsOfTheEnvironment, AnotherSearchPath) {
  for (const char* name : {"CPATH", "C_INCLUDE_PATH"}) {
    ProjectFolder folder;
    for (const char* version : {"v1", "v2"}) fs::create_directories(folder.file(version));
    folder.write("v1/lock.h", kLocked);
    folder.write("v2/lock.h", kBare);
    folder.write("m.c", "#include <lock.h>\n" + kMain);
    for (const auto& [version, expected] : {std::pair("v1", v1::VERDICT_CLEAR), std::pair("v2", v1::VERDICT_FINDINGS),
                                            std::pair("v1", v1::VERDICT_CLEAR)}) {
      EngineProcess engine{{{{name, folder.file(version)}}, 0}};
      const Answer answer = engine.check(folder.file("m.c"));
      EXPECT_EQ(answer.final_verdict()->kind(), expected) << name << " " << version << answer.text();
    }
  }
}

// One engine, clients that differ in it.
TEST(InputsOfTheEnvironment, IsTheClients) {
  for (const char* name : {"CPATH", "C_INCLUDE_PATH"}) {
    ProjectFolder folder;
    for (const char* version : {"v1", "v2"}) fs::create_directories(folder.file(version));
    folder.write("v1/lock.h", kLocked);
    folder.write("v2/lock.h", kBare);
    folder.write("m.c", "#include <lock.h>\n" + kMain);
    EngineProcess engine{{{{name, folder.file("none")}}, 0}};
    for (const auto& [version, expected] :
         {std::pair("v1", v1::VERDICT_CLEAR), std::pair("v2", v1::VERDICT_FINDINGS), std::pair("v1", v1::VERDICT_CLEAR),
          std::pair("", v1::VERDICT_ERROR), std::pair("v2", v1::VERDICT_FINDINGS)}) {
      v1::CheckRequest request = request_for(folder.file("m.c"));
      auto& variables = *request.mutable_environment()->mutable_variables();
      if (*version) variables[name] = folder.file(version);
      const Answer answer = engine.check(request);
      EXPECT_EQ(answer.final_verdict()->kind(), expected) << name << " " << version << answer.text();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(WarmAndFresh, Inputs, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Fresh" : "Warm"; });

}  // namespace
}  // namespace heddle::engine::test
