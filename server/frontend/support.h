// The compiled part of the C++ library: our own text for what libstdc++'s headers declare and its shared object
// defines.
//
// In:      the units of a program, a compile command of theirs, and somebody who compiles a module or has it cached.
// Out:     library units with what the program needs of them, to be linked behind its own; none for C.
// Cost:    a module is compiled once per toolchain and options (support_command); choosing from it is linear in it.
// Owns:    nothing. Threads: as the compiler.
// Fails:   a module that does not compile with the user's headers is left out; what it would define is undefined then.
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
  Overlay text;  // of the command's file, which is on no disk
};

using CompileSupport = std::function<program::UnitPtr(const SupportModule&)>;  // null: it does not compile

std::vector<program::UnitPtr> support_units(const std::vector<program::UnitPtr>& units,
                                            const std::vector<CompileCommand>& commands, const CompileSupport& compile);

}  // namespace heddle::frontend
