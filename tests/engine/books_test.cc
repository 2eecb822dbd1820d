// Frames, files, the cache folder and the sandbox: what the engine stands on.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <thread>

#include "server/base/frames.h"
#include "server/engine/explorers/sandbox.h"
#include "server/engine/store/cache.h"
#include "server/engine/store/files.h"
#include "server/engine/store/ledger.h"
#include "server/engine/target/scope.h"
#include "tests/engine/books_fixture.h"

namespace heddle::engine {
namespace {

TEST(Frames, ArriveWholeHoweverTheyAreCut) {
  int ends[2];
  ASSERT_EQ(0, ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  const std::string bytes{"\5\0\0\0hello\0\0\0\0", 13};
  base::FrameReader reader(ends[0]);
  std::vector<std::string> frames;
  for (const char byte : bytes) {
    ASSERT_EQ(1, ::write(ends[1], &byte, 1));
    EXPECT_EQ(base::FrameReader::State::Open, reader.fill());
    while (const auto frame = reader.next()) frames.emplace_back(*frame);
  }
  EXPECT_EQ(frames, (std::vector<std::string>{"hello", ""}));
  ::close(ends[1]);
  EXPECT_EQ(base::FrameReader::State::Ended, reader.fill());
  ::close(ends[0]);
}

TEST(Frames, GarbageBreaksTheReader) {
  int ends[2];
  ASSERT_EQ(0, ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  ASSERT_EQ(14, ::write(ends[1], "GET / HTTP/1.1", 14));
  base::FrameReader reader(ends[0]);
  reader.fill();
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(base::FrameReader::State::Broken, reader.state());
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Frames, LargeFramesPass) {
  int ends[2];
  ASSERT_EQ(0, ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  const std::string large(5'000'000, 'x');
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(base::write_frame(ends[1], large) ? 0 : 1);
  base::FrameReader reader(ends[0]);
  std::optional<std::string_view> frame;
  while (!(frame = reader.next())) reader.fill();
  EXPECT_EQ(frame->size(), large.size());
  ::waitpid(pid, nullptr, 0);
}

TEST(Files, HashFollowsTextAndOverlays) {
  const Folder folder;
  const std::string file = folder.write("a.c", "one");
  FileStates files;
  files.begin_check({});
  EXPECT_EQ(files.hash(file), program::hash_bytes("one"));
  folder.write("a.c", "two");
  EXPECT_EQ(files.hash(file), program::hash_bytes("one")) << "a check sees one state of a file";
  files.begin_check({});
  EXPECT_EQ(files.hash(file), program::hash_bytes("two")) << "also when size and clock tick are the same";
  files.begin_check({{file, "three"}});
  EXPECT_EQ(files.hash(file), program::hash_bytes("three"));
  EXPECT_FALSE(files.hash(folder.path() + "/none.c"));
  EXPECT_FALSE(files.hash(folder.path())) << "a folder is no file";
}

TEST(Cache, BlobsAreWholeOrAbsent) {
  const Folder folder;
  ::unsetenv("HEDDLE_CACHE_DIR");
  CacheFolder cache(folder.path());
  EXPECT_EQ(cache.path(), folder.path() + "/.cache/heddle");
  EXPECT_EQ(read_file(cache.path() + "/.gitignore"), "*\n");
  const program::Hash name = program::hash_bytes("content");
  EXPECT_TRUE(cache.write_blob(name, "content"));
  EXPECT_EQ(cache.read_blob(name), "content");
  std::ofstream(cache.path() + "/units/" + name.hex()) << "con";
  EXPECT_FALSE(cache.read_blob(name)) << "a blob that was cut short is none";
  EXPECT_FALSE(cache.has_blob(name));
  EXPECT_TRUE(cache.write_blob(name, "content"));
  cache.prune(0, {name});
  EXPECT_TRUE(cache.has_blob(name));
  cache.prune(0, {});
  EXPECT_FALSE(cache.has_blob(name));
}

TEST(Cache, NothingIsPutAmongLoneFiles) {
  const Folder sources, user;
  ::unsetenv("HEDDLE_CACHE_DIR");
  ::setenv("XDG_CACHE_HOME", user.path().c_str(), 1);
  const auto lone = [&] { return CacheFolder(sources.path(), CacheFolder::Of::LoneFiles).path(); };
  EXPECT_TRUE(lone().starts_with(user.path() + "/heddle/")) << lone();
  EXPECT_TRUE(fs::is_empty(sources.path()));
  EXPECT_FALSE(CacheFolder::has_books(sources.path()));
  std::ofstream(lone() + "/ledger.sqlite") << "books";
  EXPECT_TRUE(CacheFolder::has_books(sources.path()));
  // What was not used for a season goes when another one begins.
  fs::last_write_time(lone() + "/ledger.sqlite", fs::file_time_type::clock::now() - std::chrono::hours(24 * 91));
  const std::string unused = lone();
  std::ofstream(user.path() + "/heddle/notes") << "of the user";
  const Folder others;
  CacheFolder(others.path(), CacheFolder::Of::LoneFiles);
  EXPECT_FALSE(fs::exists(unused));
  EXPECT_TRUE(fs::exists(user.path() + "/heddle/notes"));
  // Books of an earlier version lie there: they are used on.
  const Folder older;
  fs::create_directories(older.path() + "/.cache/heddle");
  std::ofstream(older.path() + "/.cache/heddle/ledger.sqlite") << "books";
  EXPECT_EQ(CacheFolder(older.path(), CacheFolder::Of::LoneFiles).path(), older.path() + "/.cache/heddle");
  // Where the user's folder cannot be written, among the sources is better than nowhere.
  ::setenv("XDG_CACHE_HOME", sources.write("file", "").c_str(), 1);
  EXPECT_EQ(lone(), sources.path() + "/.cache/heddle");
  ::unsetenv("XDG_CACHE_HOME");
}

TEST(Cache, UnwritableFolderIsANote) {
  const Folder folder;
  const std::string file = folder.write("file", "");
  ::setenv("HEDDLE_CACHE_DIR", (file + "/below").c_str(), 1);
  CacheFolder cache(folder.path());
  ::unsetenv("HEDDLE_CACHE_DIR");
  EXPECT_EQ(cache.path(), "");
  EXPECT_NE(cache.problem(), "");
  EXPECT_FALSE(cache.write_blob(program::hash_bytes("x"), "x"));
}

TEST(Seal, IsSipHash) {
  // The reference implementation's vectors.
  const Seal::Key key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  EXPECT_EQ(siphash(key, ""), (std::array<uint64_t, 2>{0xe6a825ba047f81a3, 0x930255c71472f66d}));
  EXPECT_EQ(siphash(key, std::string_view("\0", 1)), (std::array<uint64_t, 2>{0x44af996bd8c187da, 0x45fc229b11597634}));
}

TEST(Seal, HoldsForItsPlaceAndKey) {
  const Seal seal({1, 2});
  const std::string sealed = seal.close("verdict a", "clear");
  EXPECT_EQ(seal.open("verdict a", sealed), "clear");
  EXPECT_FALSE(seal.open("verdict b", sealed));
  EXPECT_FALSE(Seal({1, 3}).open("verdict a", sealed));
  for (size_t n = 0; n < sealed.size(); ++n) {
    std::string other = sealed;
    other[n] ^= 1;
    EXPECT_FALSE(seal.open("verdict a", other)) << n;
  }
  EXPECT_FALSE(seal.open("verdict a", ""));
}

TEST(Seal, TheKeyIsTheUsersAlone) {
  const Folder folder;
  ::setenv("HEDDLE_STATE_DIR", (folder.path() + "/state").c_str(), 1);
  const std::string sealed = Seal::of_user().close("x", "y");
  const std::string file = folder.path() + "/state/ledger.key";
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(Seal::of_user().open("x", sealed), "y");
  fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
  ::unsetenv("HEDDLE_CACHE_DIR");
  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
  ::setenv("HOME", (folder.path() + "/home").c_str(), 1);
  EXPECT_FALSE(Seal::of_user().open("x", sealed)) << "others could have read it";
  ::setenv("HOME", home.c_str(), 1);
  ::setenv("HEDDLE_LEDGER_KEY", "a secret of the CI's", 1);
  const std::string there = Seal::of_user().close("x", "y");
  EXPECT_EQ(Seal::of_user().open("x", there), "y");
  ::unsetenv("HEDDLE_LEDGER_KEY");
  ::unsetenv("HEDDLE_STATE_DIR");
}

// A checkout may hold links, and all that lies in its folders is its own.
class HostileCache : public ::testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv("HEDDLE_CACHE_DIR");
    ::setenv("XDG_CACHE_HOME", (folder_.path() + "/user").c_str(), 1);
    project_ = folder_.path() + "/project";
    fs::create_directories(project_);
    fs::create_directories(folder_.path() + "/victim/units");
    folder_.write("victim/file", "precious");
  }
  void TearDown() override {
    ::unsetenv("XDG_CACHE_HOME");
    EXPECT_EQ(read_file(folder_.path() + "/victim/file"), "precious");
    size_t entries = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() + "/victim")) entries += entry.exists();
    EXPECT_EQ(entries, 2u) << "the file and the folder that were there";
  }
  void use() {
    CacheFolder cache(project_);
    Ledger ledger(cache.path());
    ledger.put(Table::Book, "key", v1::Book{});
    EXPECT_TRUE(ledger.commit());
    EXPECT_TRUE(cache.write_blob(program::hash_bytes("content"), "content"));
    EXPECT_EQ(cache.read_blob(program::hash_bytes("content")), "content");
    cache.prune(0, {});
  }
  Folder folder_;
  std::string project_;
};

TEST_F(HostileCache, AFolderThatIsALink) {
  fs::create_directories(project_ + "/.cache");
  fs::create_directory_symlink(folder_.path() + "/victim", project_ + "/.cache/heddle");
  use();
  EXPECT_FALSE(CacheFolder::has_books(folder_.path()));
}

TEST_F(HostileCache, AParentThatIsALink) {
  fs::create_directories(folder_.path() + "/user");
  fs::create_directory_symlink("../victim", project_ + "/.cache");
  use();
}

TEST_F(HostileCache, UnitsThatAreALink) {
  fs::create_directories(project_ + "/.cache/heddle");
  fs::create_directory_symlink(folder_.path() + "/victim", project_ + "/.cache/heddle/units");
  use();
}

TEST_F(HostileCache, FilesThatAreLinks) {
  fs::create_directories(project_ + "/.cache/heddle/units");
  const std::string cache = project_ + "/.cache/heddle/";
  const std::string blob = "units/" + program::hash_bytes("content").hex();
  const std::vector<std::string> names = {".gitignore",        "ledger.sqlite",         "ledger.sqlite-wal",
                                          "ledger.sqlite-shm", "ledger.sqlite-journal", blob};
  for (const std::string& name : names) fs::create_symlink(folder_.path() + "/victim/made", cache + name);
  use();
}

TEST_F(HostileCache, ALedgerOfSomebodyElseIsNotBelieved) {
  fs::create_directories(project_ + "/.cache/heddle");
  v1::Book book;
  book.mutable_base()->set_content("trust me");
  {
    Ledger theirs(project_ + "/.cache/heddle", Seal({7, 7}));
    theirs.put(Table::Book, "key", book);
    EXPECT_TRUE(theirs.commit());
  }
  Ledger ours(project_ + "/.cache/heddle", Seal({8, 8}));
  EXPECT_FALSE(ours.get<v1::Book>(Table::Book, "key"));
  const auto notes = ours.take_notes();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("came with the checkout"), std::string::npos) << notes[0];
  EXPECT_TRUE(fs::exists(project_ + "/.cache/heddle/ledger.sqlite.damaged"));
}

// Somebody who has a row of ours cannot put it elsewhere.
TEST_F(HostileCache, ARowHoldsForItsKeyOnly) {
  fs::create_directories(project_ + "/.cache/heddle");
  v1::Book book;
  book.mutable_base()->set_content("good");
  {
    Ledger ledger(project_ + "/.cache/heddle");
    ledger.put(Table::Book, "good program", book);
    EXPECT_TRUE(ledger.commit());
  }
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((project_ + "/.cache/heddle/ledger.sqlite").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database,
                         "INSERT INTO book SELECT 'bad program', value, 0 FROM book;"
                         "INSERT INTO verdict SELECT 'good program', value, 0 FROM book WHERE key='good program'",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  Ledger ledger(project_ + "/.cache/heddle");
  EXPECT_TRUE(ledger.get<v1::Book>(Table::Book, "good program"));
  EXPECT_FALSE(ledger.get<v1::Book>(Table::Book, "bad program"));
  EXPECT_FALSE(ledger.get<v1::Book>(Table::Verdict, "good program"));
  size_t rows = 0;
  EXPECT_TRUE(ledger.for_each(Table::Book, [&](const auto&, const auto&) { ++rows; }));
  EXPECT_EQ(rows, 1u);
}

// Of the right content for its name, as far as a hash that is no secret can tell.
TEST_F(HostileCache, AUnitOfSomebodyElseIsNotRead) {
  CacheFolder theirs(project_, CacheFolder::Of::Project, Seal({7, 7}));
  const program::Hash name = program::hash_bytes("content");
  EXPECT_TRUE(theirs.write_blob(name, "content"));
  EXPECT_FALSE(CacheFolder(project_, CacheFolder::Of::Project, Seal({8, 8})).read_blob(name));
}

TEST(Files, OnlyRegularOnesOfASensibleSizeAreRead) {
  const Folder folder;
  std::string problem;
  ASSERT_EQ(::mkfifo((folder.path() + "/pipe").c_str(), 0600), 0);
  EXPECT_FALSE(read_file(folder.path() + "/pipe", &problem));
  EXPECT_EQ(problem, "is no regular file");
  fs::create_symlink("/dev/zero", folder.path() + "/zero");
  EXPECT_FALSE(read_file(folder.path() + "/zero", &problem));
  EXPECT_EQ(problem, "is no regular file");
  folder.write("huge", "");
  fs::resize_file(folder.path() + "/huge", uintmax_t{10} << 30);
  EXPECT_FALSE(read_file(folder.path() + "/huge", &problem));
  EXPECT_EQ(problem, "is larger than 256 MB");
  FileStates files;
  files.begin_check({});
  for (const char* name : {"/pipe", "/zero", "/huge"}) {
    EXPECT_FALSE(files.hash(folder.path() + name)) << name;
    EXPECT_FALSE(files.text(folder.path() + name)) << name;
  }
}

TEST(Sandbox, AllowsComputingAndThePipe) {
  int ends[2];
  ASSERT_EQ(0, ::pipe(ends));
  const Sandbox sandbox(ends[1]);
  const int status = in_child([&] {
    if (!sandbox.enter({uint64_t{256} << 20, 10}).empty()) ::_exit(1);
    std::vector<std::unique_ptr<int[]>> blocks;
    for (int i = 0; i < 1000; ++i) blocks.push_back(std::make_unique<int[]>(1000));
    if (::write(ends[1], "x", 1) != 1) ::_exit(2);
  });
  EXPECT_EQ(status, 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Sandbox, ForbidsFilesProcessesAndOtherDescriptors) {
  int ends[2];
  ASSERT_EQ(0, ::pipe(ends));
  const Sandbox sandbox(ends[1]);
  const auto enter = [&] {
    if (!sandbox.enter({}).empty()) ::_exit(1);
  };
  int status = in_child([&] {
    enter();
    (void)::open("/etc/passwd", O_RDONLY);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
  status = in_child([&] {  // as the C library counts the processors, for Z3
    enter();
    ::_exit(::open("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC) < 0 && errno == EACCES ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
  status = in_child([&] {
    enter();
    (void)::fork();
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
  status = in_child([&] {
    enter();
    (void)::socket(AF_INET, SOCK_STREAM, 0);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
  status = in_child([&] {
    enter();
    std::abort();
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  status = in_child([&] {
    enter();
    ::kill(::getppid(), SIGTERM);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
  status = in_child([&] {
    enter();
    ::_exit(::write(2, "x", 1) == 1 ? 1 : 0);
  });
  EXPECT_EQ(status, 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Sandbox, MemoryLimitEndsAllocation) {
  const Sandbox sandbox(3);
  const int status = in_child([&] {
    if (!sandbox.enter({uint64_t{64} << 20, 0}).empty()) ::_exit(1);
    std::set_new_handler([] { ::_exit(77); });
    std::vector<char*> blocks;
    for (;;) blocks.push_back(new char[1 << 20]);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 77);
}

TEST(Scope, SummaryIsHonest) {
  v1::Scope scope;
  scope.set_pairs_explored(2);
  scope.set_pairs_owed(1);
  scope.set_step1(v1::STEP_INCOMPLETE);
  scope.set_step2(v1::STEP_RUNNING);
  ScopeFacts facts;
  facts.fragments = 1;
  facts.executions = 1234;
  facts.limit_seconds = 10;
  summarise(scope, facts);
  EXPECT_EQ(scope.summary(),
            "1 changed fragment; 2 pairs explored, 1 owed; step 1 not complete; step 2 still runs (all interleavings "
            "over the affected objects); 1,234 interleavings; stopped at the limit of 10 s");
}

// "every interleaving explored" stands beside nothing that was not explored but weaker memory orders.
TEST(Scope, SummaryDoesNotContradictItself) {
  for (const v1::StepState full : {v1::STEP_NOT_NEEDED, v1::STEP_RUNNING, v1::STEP_COMPLETE, v1::STEP_INCOMPLETE})
    for (const v1::StepState other : {v1::STEP_NOT_NEEDED, v1::STEP_RUNNING, v1::STEP_COMPLETE, v1::STEP_INCOMPLETE})
      for (const bool all : {true, false}) {
        v1::Scope scope;
        scope.set_full(full);
        scope.set_step1(other);
        scope.set_step2(other);
        scope.set_consequences(other);
        ScopeFacts facts;
        facts.full = all;
        summarise(scope, facts);
        const std::string& text = scope.summary();
        const bool every = text.find("every interleaving explored") != text.npos;
        EXPECT_EQ(every, all && full == v1::STEP_COMPLETE) << text;
        EXPECT_FALSE(every && text.find("not complete") != text.npos) << text;
        EXPECT_FALSE(every && text.find("still") != text.npos) << text;
      }
}

}  // namespace
}  // namespace heddle::engine
