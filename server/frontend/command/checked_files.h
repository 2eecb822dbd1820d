// Restricts what Clang can open to regular files of limited size, wherever their names come from.
//
// In:      another view of the file system, and limits in bytes.
// Out:     the same view; a file that is not regular or is too large cannot be opened.
// Cost:    one more stat per opened file.
// Owns:    shares the view below.
// Threads: as the view below; with a limit for all files, one.
// Fails:   an error code with its own message, which Clang reports where it wanted the file.
// From:    docs/SECURITY.md.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <cstdint>
#include <set>
#include <string>

namespace heddle::frontend {

struct FileLimits {
  uint64_t file_bytes = uint64_t{64} << 20;
  uint64_t all_bytes = 0;  // of everything that is opened through this view; 0: none
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> checked_files(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below,
                                                              FileLimits limits = {});
// The same view without these files, which are named by their absolute paths.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> without_files(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below,
                                                              std::set<std::string> absent);
// The same view of the disk, with a working directory of its own.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> checked_disk();

}  // namespace heddle::frontend
