// Lists the files that a compile read, other than the main file, and stamps them with size, time and content.
//
// In:      the source manager of a finished parse; a view of the files.
// Out:     by path, what was read, with its hash; stamps of files, to test whether they changed.
// Cost:    linear in the files and, for hashes, their text.
// Owns:    nothing; values.
// Threads: pure functions; one per source manager.
// Fails:   never; a file whose text is not in memory was not read.
#pragma once

#include <clang/Basic/SourceManager.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <optional>
#include <string>

#include "server/frontend/reuse/dependency.h"

namespace heddle::frontend {

void add_dependencies(const clang::SourceManager& sources, std::map<std::string, Dependency>& out);

// Adds the files again under the names that led to them.
void add_names(const std::map<std::string, std::string>& links, std::map<std::string, Dependency>& out);

// Clang's preamble itself records times in seconds only. A file that a copy or an archive brings may have the size and
// the time of the one before, so its content counts, too. Only what is installed under /usr is known by size and time.
struct FileStamp {
  uint64_t size = 0;
  int64_t time = 0;
  program::Hash content{};  // zero: under /usr
  bool operator==(const FileStamp&) const = default;
};
using Stamps = std::map<std::string, FileStamp>;  // by path

std::optional<FileStamp> stamp_of(llvm::vfs::FileSystem& files, const std::string& path);
// Of the project's files among the dependencies, or (`system`) of the others.
Stamps stamps_of(const std::map<std::string, Dependency>& dependencies, llvm::vfs::FileSystem& files,
                 bool system = false);
bool current(const Stamps& stamps, llvm::vfs::FileSystem& files);

}  // namespace heddle::frontend
