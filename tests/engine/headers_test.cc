// An edited header through a real engine process: what is compiled, and that the verdict does not depend on it.
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

std::string header(const std::string& lock, const std::string& get) {
  return "#pragma once\n#include <pthread.h>\n"
         "template <typename T> struct Guarded {\n"
         "  void add(T more) {\n    " +
         lock +
         " value = value + more; pthread_mutex_unlock(&mutex);\n  }\n"
         "  T get() { " +
         get +
         " }\n"
         "  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\n  T value = 0;\n};\n"
         "extern Guarded<int> total;\nvoid *work(void *p);\n";
}
const std::string kLocked = "pthread_mutex_lock(&mutex);", kTried = "pthread_mutex_trylock(&mutex);";

class Headers : public ::testing::Test {
 protected:
  Headers() {
    folder_.write("guarded.h", header(kLocked, "return value;"));
    folder_.write("work.cc",
                  "#include \"guarded.h\"\nGuarded<int> total;\n"
                  "void *work(void *p) { total.add(1); return p; }\n");
    folder_.write("main.cc",
                  "#include \"guarded.h\"\nint main() {\n  pthread_t a, b;\n"
                  "  pthread_create(&a, nullptr, work, nullptr);\n"
                  "  pthread_create(&b, nullptr, work, nullptr);\n"
                  "  pthread_join(a, nullptr);\n  pthread_join(b, nullptr);\n"
                  "  return total.get() != 2;\n}\n");
    folder_.write_database({"main.cc", "work.cc"});
  }
  Answer save(const std::string& text) {
    folder_.write("guarded.h", text);
    return engine_->check(folder_.file("guarded.h"));
  }
  using Names = std::set<std::string>;
  static Names compiled(const Answer& answer) {
    Names names;
    for (const std::string& path : answer.compiled()) names.insert(std::filesystem::path(path).filename());
    return names;
  }

  ProjectFolder folder_;
  std::unique_ptr<EngineProcess> engine_ = std::make_unique<EngineProcess>();
};

TEST_F(Headers, OnlyWhoMakesSomethingOfWhatChangedIsCompiled) {
  const Answer first = engine_->check(folder_.file("main.cc"));
  EXPECT_EQ(compiled(first), Names({"main.cc", "work.cc"}));
  EXPECT_EQ(first.final_verdict()->kind(), v1::VERDICT_CLEAR) << first.text();

  const Answer broken = save(header(kTried, "return value;"));
  EXPECT_EQ(compiled(broken), Names({"work.cc"})) << broken.text();
  EXPECT_EQ(broken.final_verdict()->kind(), v1::VERDICT_FINDINGS);

  // A fresh engine without anything kept says the same, and finds what was not compiled on the disk.
  const std::vector<std::string> rules = broken.rules();
  engine_ = std::make_unique<EngineProcess>();
  const std::string comment = "// told again\n";
  const Answer again = save(header(kTried, "return value;") + comment);
  EXPECT_EQ(compiled(again), Names({"main.cc", "work.cc"})) << "nothing is known of them yet";
  EXPECT_EQ(again.rules(), rules);

  const Answer other = save(header(kTried, "return value + 0 * 3;") + comment);
  EXPECT_EQ(compiled(other), Names({"main.cc"})) << other.text();
  EXPECT_EQ(other.rules(), rules);

  const Answer repaired = save(header(kLocked, "return value + 0 * 3;") + comment);
  EXPECT_EQ(compiled(repaired), Names({"work.cc"})) << repaired.text();
  EXPECT_EQ(repaired.final_verdict()->kind(), v1::VERDICT_CLEAR) << repaired.text();
}

TEST_F(Headers, WhatWasNotCompiledIsOnTheDisk) {
  engine_->check(folder_.file("main.cc"));
  const Answer broken = save(header(kTried, "return value;"));
  ASSERT_EQ(compiled(broken), Names({"work.cc"}));
  engine_ = std::make_unique<EngineProcess>();
  const Answer same = engine_->check(folder_.file("main.cc"));
  EXPECT_EQ(compiled(same), Names{});
  EXPECT_EQ(same.rules(), broken.rules());
}

// `#pragma once` takes a file once under all its names. A link that becomes a copy of the same text makes it two.
class Once : public ::testing::Test {
 protected:
  Once() {
    folder_.write("one.h", "#pragma once\ncount++;\n");
    folder_.write("main.c",
                  "#include <assert.h>\n#include <pthread.h>\nstatic int count;\n"
                  "static void *work(void *p) {\n#include \"one.h\"\n#include \"two.h\"\n  return p;\n}\n"
                  "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, work, 0);\n"
                  "  pthread_join(t, 0);\n  assert(count == 1);\n  return 0;\n}\n");
    folder_.write_database({"main.c"});
  }
  void link(bool symbolic) {
    std::filesystem::remove(folder_.file("two.h"));
    symbolic ? std::filesystem::create_symlink("one.h", folder_.file("two.h"))
             : std::filesystem::create_hard_link(folder_.file("one.h"), folder_.file("two.h"));
  }
  void copy() {
    std::filesystem::remove(folder_.file("two.h"));
    std::filesystem::copy_file(folder_.file("one.h"), folder_.file("two.h"));
  }
  std::vector<std::string> rules() { return engine_.check(folder_.file("main.c")).rules(); }

  const std::vector<std::string> none_{}, fails_{"assertion"};
  ProjectFolder folder_;
  EngineProcess engine_;
};

TEST_F(Once, ALinkThatBecomesACopyIsAnotherFile) {
  link(/*symbolic=*/true);
  EXPECT_EQ(rules(), none_);
  copy();
  EXPECT_EQ(rules(), fails_);
}

TEST_F(Once, ACopyThatBecomesALinkIsTheSameFile) {
  copy();
  EXPECT_EQ(rules(), fails_);
  link(/*symbolic=*/true);
  EXPECT_EQ(rules(), none_);
}

TEST_F(Once, AHardLinkThatBecomesACopyIsAnotherFile) {
  link(/*symbolic=*/false);
  EXPECT_EQ(rules(), none_);
  copy();
  EXPECT_EQ(rules(), fails_);
}

TEST_F(Once, ALinkOfAFolderThatBecomesACopy) {
  std::filesystem::create_directory(folder_.file("v1"));
  folder_.write("v1/one.h", "#pragma once\ncount++;\n");
  folder_.write("one.h", "#include \"v1/one.h\"\n");
  folder_.write("two.h", "#include \"v2/one.h\"\n");
  std::filesystem::create_directory_symlink("v1", folder_.file("v2"));
  EXPECT_EQ(rules(), none_);
  std::filesystem::remove(folder_.file("v2"));
  std::filesystem::copy(folder_.file("v1"), folder_.file("v2"));
  EXPECT_EQ(rules(), fails_);
}

// A copy or an archive that keeps times may bring a file of the same size, with the time of the file before. C is
// compiled with a precompiled prefix of its own, C++ with the library's headers.
struct Included {
  const char *language, *header, *include;
};
class KeptTime : public ::testing::TestWithParam<Included> {};

TEST_P(KeptTime, AHeaderWithTheSizeAndTheTimeOfTheOneBeforeIsRead) {
  const auto& [language, header, include] = GetParam();
  ProjectFolder folder;
  EngineProcess engine;
  std::filesystem::create_directory(folder.file("system"));
  folder.write(header, "#define LOCKS 1\n");
  const std::string name = std::string("a.") + language;
  folder.write("shared.h",
               "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int total;\n");
  folder.write(name, "#include \"shared.h\"\n#include " + std::string(include) + R"(
#if LOCKS
static void *work(void *p) {
  pthread_mutex_lock(&m);
  total++;
  pthread_mutex_unlock(&m);
  return p;
}
#else
static void *work(void *p) {
  total++;
  return p;
}
#endif
int main() {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);
  pthread_join(a, 0); pthread_join(b, 0);
}
)");
  folder.write("compile_commands.json", "[{\"directory\": \"" + folder.file("") + "\", \"file\": \"" + name +
                                            "\", \"command\": \"cc -isystem system -c " + name + "\"}]");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // what has just changed is compared by content anyway
  EXPECT_EQ(engine.check(folder.file(name)).rules(), std::vector<std::string>{});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto time = std::filesystem::last_write_time(folder.file(header));
  folder.write(header, "#define LOCKS 0\n");
  std::filesystem::last_write_time(folder.file(header), time);
  EXPECT_EQ(engine.check(folder.file(name)).rules(), std::vector<std::string>{"data-race"});
}
INSTANTIATE_TEST_SUITE_P(Headers, KeptTime,
                         ::testing::Values(Included{"c", "lock.h", "\"lock.h\""},
                                           Included{"c", "system/lock.h", "<lock.h>"},
                                           Included{"c", "system/lock.h", "\"system/lock.h\""},
                                           Included{"cc", "lock.h", "\"lock.h\""},
                                           Included{"cc", "system/lock.h", "<lock.h>"}));

TEST_F(Headers, AnErrorIsSaidOnce) {
  engine_->check(folder_.file("main.cc"));
  const Answer wrong = save(header("undeclared(&mutex);", "return value;"));
  EXPECT_EQ(compiled(wrong), Names({"main.cc", "work.cc"}));
  EXPECT_EQ(wrong.final_verdict()->kind(), v1::VERDICT_ERROR) << wrong.text();
  EXPECT_EQ(wrong.final_verdict()->diagnostics_size(), 1) << wrong.text();
}

}  // namespace
}  // namespace heddle::engine::test
