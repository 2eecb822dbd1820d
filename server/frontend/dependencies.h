// Files that a compile read, other than the main file.
//
// In:      the source manager of a finished parse. Out: by path, what was read, with its hash. Owns: nothing.
// Threads: pure function. Fails: never; a file whose text is not in memory was not read.
#pragma once

#include <clang/Basic/SourceManager.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <optional>
#include <string>

#include "server/frontend/frontend.h"

namespace heddle::frontend {

void add_dependencies(const clang::SourceManager& sources, std::map<std::string, Dependency>& out);

// The files once more, by the names that led to them.
void add_names(const std::map<std::string, std::string>& links, std::map<std::string, Dependency>& out);

struct FileStamp {  // the preamble itself knows times in seconds only
  uint64_t size = 0;
  int64_t time = 0;
  bool operator==(const FileStamp&) const = default;
};
using Stamps = std::map<std::string, FileStamp>;  // by path

std::optional<FileStamp> stamp_of(llvm::vfs::FileSystem& files, const std::string& path);
// Of the project's files among them, or of the others.
Stamps stamps_of(const std::map<std::string, Dependency>& dependencies, llvm::vfs::FileSystem& files,
                 bool system = false);
bool current(const Stamps& stamps, llvm::vfs::FileSystem& files);

}  // namespace heddle::frontend
