// What Clang may be asked to do: read text and make code of it in memory. Internal to the folder.
//
// In:      an invocation as Clang made it of a command that anybody may have written.
// Out:     another one that means the same program. It begins empty, and only what decides about the meaning is taken
//          over: no name of an output, a plug-in, a module, a profile or a list of functions gets there, whatever flag,
//          response file or `-Xclang` it came by.
// Threads: pure functions.
// Fails:   what cannot be left out without changing the program is an objection, in words for the user.
// From:    docs/SECURITY.md.
#pragma once

#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace heddle::frontend {

struct Objection {
  std::string text;
};
std::variant<std::shared_ptr<clang::CompilerInvocation>, Objection> harmless(const clang::CompilerInvocation& asked,
                                                                             llvm::vfs::FileSystem& files);

// What the driver sees while it makes an invocation: it may ask what is there, but read nothing except the
// distribution's release. Configuration files stay closed, also those that it would look for by itself.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> driver_view(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

// To a configuration file that the arguments name; empty: they name none.
std::string configuration_objection(const std::vector<std::string>& arguments);

}  // namespace heddle::frontend
