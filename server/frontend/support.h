// Provides the compiled part of the libraries: Heddle's own text for what libstdc++'s headers declare and its shared
// object defines, and for some functions of POSIX.
//
// In:      the units of a program, their compile commands, and a function that compiles a module or has it cached.
// Out:     library units with the part that the program needs, to be linked after its own; for C programs only of POSIX
//          functions.
// Cost:    choosing from a module is linear in it. The caller compiles a module once per toolchain and options.
// Owns:    nothing; the texts are constant.
// Threads: pure but for `compile`, which runs on the caller's thread.
// Fails:   never. A module that does not compile with the user's headers is left out, and its names stay undefined.
// From:    docs/LIBRARY.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/frontend/frontend.h"

namespace heddle::frontend {

struct SupportText {
  std::string module;
  std::vector<std::pair<std::string, std::string>> files;  // name, text
};
const std::vector<SupportText>& support_texts();  // made at build time from the files in server/frontend/support

struct SupportModule {
  CompileCommand command;
  Overlay text;  // of the command's file, which does not exist on disk
};

using CompileSupport = std::function<program::UnitPtr(const SupportModule&)>;  // null: it does not compile

std::vector<program::UnitPtr> support_units(const std::vector<program::UnitPtr>& units,
                                            const std::vector<CompileCommand>& commands, const CompileSupport& compile);

}  // namespace heddle::frontend
