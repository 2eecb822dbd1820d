// Files that are replaced, and read through no link, on disks that are full or refuse to be written.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "server/disk/folder.h"
#include "server/disk/read.h"
#include "server/disk/replacement.h"

namespace heddle::disk {
namespace {

namespace fs = std::filesystem;

class Disk : public ::testing::Test {
 protected:
  Disk() : top_(fs::temp_directory_path() / ("heddle-disk-" + std::to_string(getpid()))) {
    fs::remove_all(top_);
    fs::create_directories(top_);
  }
  ~Disk() override { fs::remove_all(top_); }

  std::string path(const std::string& name) const { return (top_ / name).string(); }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(top_ / name) << text;
    return path(name);
  }
  std::string text(const std::string& name) const {
    std::ifstream file(top_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t files() const { return static_cast<size_t>(std::distance(fs::directory_iterator(top_), {})); }
  static struct stat state(const std::string& path) {
    struct stat info{};
    EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
    return info;
  }

  const fs::path top_;
};

// No file of this process may be longer: the same to a writer as a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

// While it lives, the test runs as user `nobody`, because root may write to every folder.
class Nobody {
 public:
  Nobody() : changed_(geteuid() == 0 && seteuid(65534) == 0) {}
  ~Nobody() {
    if (changed_ && seteuid(0) != 0) ADD_FAILURE() << "root stays nobody";
  }

 private:
  const bool changed_;
};

// Whoever wrote the last line was killed in the middle of it.
TEST_F(Disk, ALineBehindATornOneIsALineOfItsOwn) {
  const Folder folder = Folder::open(top_.string(), {}, Folder::Missing::Fail);
  ASSERT_TRUE(folder.append("new", "one\n"));
  EXPECT_EQ(text("new"), "one\n");
  put("torn", "one\ntw");
  ASSERT_TRUE(folder.append("torn", "three\n"));
  ASSERT_TRUE(folder.append("torn", "four\n"));
  EXPECT_EQ(text("torn"), "one\ntw\nthree\nfour\n");
  put("empty", "");
  ASSERT_TRUE(folder.append("empty", "one\n"));
  EXPECT_EQ(text("empty"), "one\n");
}

TEST_F(Disk, AReplacedFileKeepsItsModeAndOwner) {
  const std::string file = put("a.c", "old");
  ASSERT_EQ(chmod(file.c_str(), 0640), 0);
  ASSERT_TRUE(geteuid() != 0 || chown(file.c_str(), 1234, 4321) == 0);
  const struct stat before = state(file);
  std::string problem;
  EXPECT_TRUE(replace_file(file, "new", &problem)) << problem;
  EXPECT_EQ(text("a.c"), "new");
  const struct stat after = state(file);
  EXPECT_EQ(after.st_mode, before.st_mode);
  EXPECT_EQ(after.st_uid, before.st_uid);
  EXPECT_EQ(after.st_gid, before.st_gid);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Disk, AFileThatIsNotThereIsMade) {
  EXPECT_TRUE(replace_file(path("new.c"), "text"));
  EXPECT_EQ(text("new.c"), "text");
  const std::string longest(255, 'n');
  EXPECT_TRUE(replace_file(path(longest), "text"));
  EXPECT_EQ(text(longest), "text");
}

TEST_F(Disk, AFullDiskCostsTheNewTextOnly) {
  const std::string old(2000, 'o');
  const std::string file = put("a.c", old);
  std::string problem;
  {
    const FullDisk full(1000);
    EXPECT_FALSE(replace_file(file, std::string(3000, 'n'), &problem));
  }
  EXPECT_EQ(problem, "cannot be written: File too large");
  EXPECT_EQ(text("a.c"), old);
  EXPECT_EQ(files(), 1u);
}

TEST_F(Disk, AKillLeavesNoFileBehind) {
  const std::string file = put("a.c", "old");
  const pid_t child = fork();
  if (child == 0) {
    auto made = Replacement::begin(file);
    if (made && write(made->descriptor(), "new", 3) == 3) raise(SIGKILL);
    _exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(text("a.c"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Disk, WithoutACommitNothingHappened) {
  const std::string file = put("a.c", "old");
  {
    auto made = Replacement::begin(file);
    ASSERT_TRUE(made);
    ASSERT_EQ(write(made->descriptor(), "new", 3), 3);
    EXPECT_EQ(text("a.c"), "old");
  }
  EXPECT_EQ(text("a.c"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Disk, ALinkStaysAndItsTargetIsReplaced) {
  fs::create_directories(top_ / "in");
  put("in/a.c", "old");
  fs::create_symlink("in/a.c", top_ / "link.c");
  fs::create_symlink("link.c", top_ / "twice.c");
  EXPECT_TRUE(replace_file(path("twice.c"), "new"));
  EXPECT_TRUE(fs::is_symlink(top_ / "link.c"));
  EXPECT_TRUE(fs::is_symlink(top_ / "twice.c"));
  EXPECT_FALSE(fs::is_symlink(top_ / "in/a.c"));
  EXPECT_EQ(text("in/a.c"), "new");
}

TEST_F(Disk, ALinkToNothingIsRefused) {
  fs::create_symlink("nothing.c", top_ / "link.c");
  std::string problem;
  EXPECT_FALSE(replace_file(path("link.c"), "new", &problem));
  EXPECT_EQ(problem, "is a link that leads to nothing: No such file or directory");
  EXPECT_TRUE(fs::is_symlink(top_ / "link.c"));
  EXPECT_EQ(files(), 1u);
}

TEST_F(Disk, WhatIsNoFileIsRefused) {
  std::string problem;
  EXPECT_FALSE(replace_file("/dev/null", "new", &problem));
  EXPECT_EQ(problem, "is no regular file");
  EXPECT_FALSE(replace_file(path("no/such/a.c"), "new", &problem));
  EXPECT_EQ(problem, "cannot be written: its folder: No such file or directory");
}

TEST_F(Disk, AFolderOrFileThatCannotBeWrittenChangesNothing) {
  const std::string file = put("a.c", "old");
  ASSERT_EQ(chmod(file.c_str(), 0666), 0);
  ASSERT_EQ(chmod(top_.c_str(), 0555), 0);
  std::string problem;
  {
    const Nobody nobody;
    EXPECT_FALSE(replace_file(file, "new", &problem));
    EXPECT_EQ(problem, "cannot be written: no file can be made in its folder: Permission denied");
  }
  ASSERT_EQ(chmod(top_.c_str(), 0777), 0);
  ASSERT_EQ(chmod(file.c_str(), 0444), 0);
  {
    const Nobody nobody;
    EXPECT_FALSE(replace_file(file, "new", &problem));
    EXPECT_EQ(problem, "cannot be written: Permission denied");
  }
  EXPECT_EQ(text("a.c"), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Disk, AFolderReadsNoLink) {
  put("a", "text");
  fs::create_symlink("a", top_ / "link");
  const Folder folder = Folder::open(top_.string(), {}, Folder::Missing::Fail);
  EXPECT_EQ(folder.read("a", 100), "text");
  EXPECT_EQ(folder.read("a", 3), std::nullopt);
  EXPECT_EQ(folder.read("link", 100), std::nullopt);
  EXPECT_EQ(folder.read("none", 100), std::nullopt);
}

TEST_F(Disk, ADescriptorThatCannotBeReadIsNamed) {
  std::string problem;
  EXPECT_EQ(read_descriptor(-1, 100, &problem), std::nullopt);
  EXPECT_EQ(problem, "cannot be read: Bad file descriptor");
  const int fd = open(put("a", "text").c_str(), O_WRONLY);
  EXPECT_EQ(read_descriptor(fd, 100, &problem), std::nullopt);
  EXPECT_EQ(problem, "cannot be read: Bad file descriptor");
  close(fd);
}

}  // namespace
}  // namespace heddle::disk
