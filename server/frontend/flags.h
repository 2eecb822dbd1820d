// Says which of the flags that a user typed the compiler does not know.
//
// In:      a command whose flags were typed for this check. Those of a database may be another compiler's: there an
//          unknown flag is left out without a word.
// Out:     one sentence about the first such flag, in Clang's words; empty if it knows all of them.
// Cost:    some milliseconds: the driver runs, nothing is compiled.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
#pragma once

#include <string>

#include "server/frontend/command/command.h"

namespace heddle::frontend {

std::string unknown_flag(const CompileCommand& command);

}  // namespace heddle::frontend
