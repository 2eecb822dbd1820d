// The disk as Clang may see it: regular files of a sensible size, wherever their names came from.
//
// In:      another view of files. Out: the same one; what is no regular file, or too large, cannot be opened.
// Threads: as the view below.
// Fails:   an error code with a message of its own, which Clang tells where it wanted the file.
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <cstdint>

namespace heddle::frontend {

struct FileLimits {
  uint64_t file_bytes = uint64_t{64} << 20;
  uint64_t all_bytes = 0;  // of everything that is opened through this view; 0: none
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> checked_files(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> below,
                                                              FileLimits limits = {});
// Of the disk, with a folder of its own that relative names begin in.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> checked_disk();

}  // namespace heddle::frontend
