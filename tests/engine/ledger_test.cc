// The ledger: damage, other formats, locks, full disks and killed writers cost time, never truth.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "server/engine/store/cache.h"
#include "server/engine/store/ledger.h"
#include "tests/engine/books_fixture.h"

namespace heddle::engine {
namespace {

v1::Debt debt(uint32_t pairs) {
  v1::Debt out;
  out.set_pairs(pairs);
  return out;
}

TEST(Ledger, RemembersWhatWasCommitted) {
  const Folder folder;
  {
    Ledger ledger(folder.path());
    ledger.put(Table::Book, "a", debt(1));
    ledger.put(Table::Book, "b", debt(2));
    EXPECT_EQ(ledger.get<v1::Debt>(Table::Book, "a")->pairs(), 1u) << "readable before the commit";
    EXPECT_TRUE(ledger.commit());
    ledger.put(Table::Book, "a", debt(3));
  }
  Ledger ledger(folder.path());
  EXPECT_EQ(ledger.get<v1::Debt>(Table::Book, "a")->pairs(), 1u) << "not committed, so never happened";
  ledger.erase(Table::Book, "a");
  EXPECT_FALSE(ledger.get<v1::Debt>(Table::Book, "a"));
  std::string keys;
  ledger.for_each(Table::Book, [&](const std::string& key, const std::string&) { keys += key; });
  EXPECT_EQ(keys, "b");
  EXPECT_TRUE(ledger.commit());
  EXPECT_TRUE(ledger.take_notes().empty());
}

TEST(Ledger, DamagedFileIsSetAside) {
  const Folder folder;
  folder.write("ledger.sqlite", std::string(8192, 'x'));
  Ledger ledger(folder.path());
  EXPECT_EQ(ledger.take_notes().size(), 1u);
  EXPECT_FALSE(ledger.get<v1::Debt>(Table::Book, "a"));
  ledger.put(Table::Book, "a", debt(1));
  EXPECT_TRUE(ledger.commit());
  EXPECT_TRUE(fs::exists(folder.path() + "/ledger.sqlite.damaged"));
}

TEST(Ledger, DamageInTheMiddleCostsTimeNotTruth) {
  const Folder folder;
  {
    Ledger ledger(folder.path());
    for (uint32_t i = 0; i < 2000; ++i) ledger.put(Table::Job, std::to_string(i), debt(i));
    EXPECT_TRUE(ledger.commit());
  }
  const std::string file = folder.path() + "/ledger.sqlite";
  const auto size = fs::file_size(file);
  std::fstream(file, std::ios::in | std::ios::out)
      .seekp(100)
      .write(std::string(size - 100, '\x5a').data(), static_cast<std::streamsize>(size - 100));
  Ledger ledger(folder.path());
  for (uint32_t i = 0; i < 2000; ++i)
    if (const auto value = ledger.get<v1::Debt>(Table::Job, std::to_string(i))) {
      EXPECT_EQ(value->pairs(), i);
    }
  ledger.put(Table::Job, "new", debt(7));
  ledger.commit();
  EXPECT_EQ(ledger.get<v1::Debt>(Table::Job, "new")->pairs(), 7u);
  EXPECT_FALSE(ledger.take_notes().empty());
}

// What a commit finds broken is set aside, and the commit is done in the new file.
TEST(Ledger, DamageThatACommitMeetsIsSetAside) {
  const Folder folder;
  {
    Ledger ledger(folder.path());
    for (uint32_t i = 0; i < 2000; ++i) ledger.put(Table::Job, std::to_string(i), debt(i));
    EXPECT_TRUE(ledger.commit());
  }
  const std::string file = folder.path() + "/ledger.sqlite";
  constexpr std::streamoff kSchema = 4096;  // the first page stays as it is
  const auto size = static_cast<std::streamsize>(fs::file_size(file)) - kSchema;
  std::fstream(file, std::ios::in | std::ios::out)
      .seekp(kSchema)
      .write(std::string(static_cast<size_t>(size), '\x5a').data(), size);
  Ledger ledger(folder.path());
  ledger.put(Table::Job, "new", debt(7));  // nothing was read before
  EXPECT_TRUE(ledger.commit());
  EXPECT_TRUE(fs::exists(file + ".damaged"));
  EXPECT_EQ(ledger.take_notes().size(), 1u);
  Ledger again(folder.path());
  EXPECT_EQ(again.get<v1::Debt>(Table::Job, "new")->pairs(), 7u);
}

TEST(Ledger, OlderFileGetsTheTablesItLacks) {
  const Folder folder;
  {
    Ledger ledger(folder.path());
    ledger.put(Table::Book, "a", debt(1));
    EXPECT_TRUE(ledger.commit());
  }
  sqlite3* database = nullptr;
  ASSERT_EQ(SQLITE_OK, sqlite3_open((folder.path() + "/ledger.sqlite").c_str(), &database));
  ASSERT_EQ(SQLITE_OK, sqlite3_exec(database, "DROP TABLE increment", nullptr, nullptr, nullptr));
  sqlite3_close(database);
  Ledger ledger(folder.path());
  EXPECT_EQ(ledger.get<v1::Debt>(Table::Book, "a")->pairs(), 1u);
  ledger.put(Table::Increment, "a", debt(2));
  EXPECT_TRUE(ledger.commit());
  EXPECT_TRUE(ledger.take_notes().empty());
}

// 2: the build whose content hash was another one. 99: a later build.
TEST(Ledger, OtherFormatIsSetAside) {
  for (const char* format : {"1", "2", "99"}) {
    const Folder folder;
    {
      Ledger ledger(folder.path());
      ledger.put(Table::Book, "a", debt(2));
      ASSERT_TRUE(ledger.commit());
    }
    sqlite3* database = nullptr;
    ASSERT_EQ(SQLITE_OK, sqlite3_open((folder.path() + "/ledger.sqlite").c_str(), &database));
    ASSERT_EQ(SQLITE_OK, sqlite3_exec(database, (std::string("PRAGMA user_version=") + format).c_str(), nullptr,
                                      nullptr, nullptr));
    sqlite3_close(database);
    Ledger ledger(folder.path());
    const std::vector<std::string> notes = ledger.take_notes();
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_NE(notes[0].find(std::string("the format ") + format), std::string::npos) << notes[0];
    EXPECT_FALSE(ledger.get<v1::Debt>(Table::Book, "a")) << "nothing of another format is read";
    EXPECT_TRUE(std::filesystem::exists(folder.path() + "/ledger.sqlite.damaged"));
    ledger.put(Table::Book, "a", debt(1));
    EXPECT_TRUE(ledger.commit());
  }
}

// Another program that has the file for itself.
class Locked {
 public:
  explicit Locked(const std::string& folder) {
    sqlite3_open((folder + "/ledger.sqlite").c_str(), &database_);
    good_ = sqlite3_exec(database_, "PRAGMA locking_mode=EXCLUSIVE;BEGIN EXCLUSIVE", nullptr, nullptr, nullptr) ==
            SQLITE_OK;
  }
  ~Locked() { sqlite3_close(database_); }
  bool good() const { return good_; }

 private:
  sqlite3* database_ = nullptr;
  bool good_ = false;
};

void keep_one(const Folder& folder) {
  Ledger ledger(folder.path());
  ledger.put(Table::Book, "a", debt(1));
  EXPECT_TRUE(ledger.commit());
}

TEST(Ledger, ALockedOneIsToldAndReadLater) {
  const Folder folder;
  keep_one(folder);
  auto locked = std::make_unique<Locked>(folder.path());
  ASSERT_TRUE(locked->good());
  Ledger ledger(folder.path());
  for (int check = 0; check < 2; ++check) {
    ledger.begin_check();
    EXPECT_FALSE(ledger.get<v1::Debt>(Table::Book, "a"));
    EXPECT_FALSE(ledger.get<v1::Debt>(Table::Book, "b"));
    const std::vector<std::string> notes = ledger.take_notes();
    ASSERT_EQ(notes.size(), 1u) << "once a check";
    EXPECT_NE(notes[0].find("could not be read (database is locked)"), std::string::npos) << notes[0];
  }
  ledger.put(Table::Book, "c", debt(3));
  EXPECT_FALSE(ledger.commit());
  const std::vector<std::string> unwritten = ledger.take_notes();
  ASSERT_EQ(unwritten.size(), 1u);
  EXPECT_NE(unwritten[0].find("end the other program"), std::string::npos) << unwritten[0];
  locked.reset();
  EXPECT_EQ(ledger.get<v1::Debt>(Table::Book, "a")->pairs(), 1u);
  EXPECT_TRUE(ledger.commit());
  EXPECT_TRUE(ledger.take_notes().empty());
  EXPECT_EQ(Ledger(folder.path()).get<v1::Debt>(Table::Book, "c")->pairs(), 3u);
}

TEST(Ledger, AShortLockIsWaitedFor) {
  const Folder folder;
  keep_one(folder);
  auto locked = std::make_unique<Locked>(folder.path());
  ASSERT_TRUE(locked->good());
  std::thread other([&] {
    ::usleep(300'000);
    locked.reset();
  });
  Ledger ledger(folder.path());
  other.join();
  EXPECT_EQ(ledger.get<v1::Debt>(Table::Book, "a")->pairs(), 1u);
  EXPECT_TRUE(ledger.take_notes().empty());
}

TEST(Ledger, FullDiskIsTold) {
  const Folder folder;
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    Ledger ledger(folder.path());
    ledger.put(Table::Book, "small", debt(1));
    if (!ledger.commit()) ::_exit(1);
    const rlimit limit{64 * 1024, 64 * 1024};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    v1::Debt large;
    large.set_reason(std::string(1 << 20, 'x'));
    ledger.put(Table::Book, "large", large);
    if (ledger.commit()) ::_exit(2);
    if (ledger.take_notes().empty()) ::_exit(3);
    if (ledger.get<v1::Debt>(Table::Book, "large")->reason().size() != 1u << 20) ::_exit(4);
    if (ledger.get<v1::Debt>(Table::Book, "small")->pairs() != 1) ::_exit(5);
  });
  EXPECT_EQ(status, 0);
  Ledger ledger(folder.path());
  EXPECT_EQ(ledger.get<v1::Debt>(Table::Book, "small")->pairs(), 1u);
  EXPECT_FALSE(ledger.get<v1::Debt>(Table::Book, "large"));
}

TEST(Ledger, KilledWriterLeavesWholeCommits) {
  const Folder folder;
  for (int round = 0; round < 5; ++round) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      Ledger ledger(folder.path());
      for (uint32_t i = 0;; ++i) {
        ledger.put(Table::Book, "a", debt(i));
        ledger.put(Table::Book, "b", debt(i));
        ledger.commit();
      }
    }
    ::usleep(20'000 + 7'000 * round);
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    Ledger ledger(folder.path());
    const auto a = ledger.get<v1::Debt>(Table::Book, "a");
    const auto b = ledger.get<v1::Debt>(Table::Book, "b");
    ASSERT_EQ(a.has_value(), b.has_value());
    if (a) {
      EXPECT_EQ(a->pairs(), b->pairs());
    }
  }
}

}  // namespace
}  // namespace heddle::engine
