#include "server/frontend/command/checked_files.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <system_error>
#include <utility>

namespace heddle::frontend {
namespace {

constexpr uint64_t kOpening = 256;  // an empty file costs something, too

enum class Problem : int { NoRegularFile = 1, TooLarge, TooMuch };

class Category : public std::error_category {
 public:
  const char* name() const noexcept override { return "heddle"; }
  std::string message(int code) const override {
    switch (static_cast<Problem>(code)) {
      case Problem::NoRegularFile: return "it is no regular file";
      case Problem::TooLarge: return "it is too large to be read";
      case Problem::TooMuch: return "too much is read by this command";
    }
    return "";
  }
};

std::error_code error_of(Problem problem) {
  static const Category category;
  return {static_cast<int>(problem), category};
}

class CheckedFiles : public llvm::vfs::ProxyFileSystem {
 public:
  CheckedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, FileLimits limits)
      : ProxyFileSystem(std::move(below)), limits_(limits) {}

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const auto info = ProxyFileSystem::status(path);
    if (!info) return info.getError();
    // A folder is reported when it is opened. /dev/null is how a command includes nothing.
    const bool may_be_opened = info->isRegularFile() || info->isDirectory() || path.str() == "/dev/null";
    if (!may_be_opened) return error_of(Problem::NoRegularFile);
    if (info->getSize() > limits_.file_bytes) return error_of(Problem::TooLarge);
    if (limits_.all_bytes > 0 && (read_ += info->getSize() + kOpening) > limits_.all_bytes)
      return error_of(Problem::TooMuch);
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  const FileLimits limits_;
  uint64_t read_ = 0;  // looked at only if everything is limited: such a view has one thread
};

class WithoutFiles : public llvm::vfs::ProxyFileSystem {
 public:
  WithoutFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below, std::set<std::string> absent)
      : ProxyFileSystem(std::move(below)), absent_(std::move(absent)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    if (is_absent(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::status(path);
  }
  bool exists(const llvm::Twine& path) override { return !is_absent(path) && ProxyFileSystem::exists(path); }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    if (is_absent(path)) return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(path);
  }

 private:
  bool is_absent(const llvm::Twine& path) const {
    llvm::SmallString<256> name;
    path.toVector(name);
    if (llvm::sys::path::is_relative(name))
      if (const auto here = getCurrentWorkingDirectory()) llvm::sys::fs::make_absolute(*here, name);
    llvm::sys::path::remove_dots(name, /*remove_dot_dot=*/true);
    return absent_.contains(name.str().str());
  }

  const std::set<std::string> absent_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> without_files(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below,
                                                              std::set<std::string> absent) {
  return llvm::makeIntrusiveRefCnt<WithoutFiles>(std::move(below), std::move(absent));
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> checked_files(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below,
                                                              FileLimits limits) {
  return llvm::makeIntrusiveRefCnt<CheckedFiles>(std::move(below), limits);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> checked_disk() {
  return checked_files(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(llvm::vfs::createPhysicalFileSystem().release()));
}

}  // namespace heddle::frontend
