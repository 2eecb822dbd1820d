// Reduces an invocation of Clang to reading text and generating code in memory. Internal to this folder.
//
// In:      an invocation that Clang made from a command that any user may have written.
// Out:     another invocation of the same program. It starts empty and copies only what decides the program's meaning.
//          So no name of an output, plug-in, module, profile or list of functions gets in, by whatever flag, response
//          file or `-Xclang`.
// Cost:    linear in the options.
// Owns:    nothing; the result is shared by its users.
// Threads: pure functions of their arguments and the file view.
// Fails:   an objection in words for the user, if something cannot be left out without changing the program.
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

// The driver's view of the files: it may ask what exists, but open only the file that names the distribution's release.
// Configuration files cannot be opened, not even those that the driver looks for by itself.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> driver_view(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

// The objection to a configuration file that the arguments name; empty: they name none.
std::string configuration_objection(const std::vector<std::string>& arguments);

}  // namespace heddle::frontend
