// Turns the user's compile command into the arguments that Heddle compiles with. Internal to this folder.
//
// In:      a compile command of any compiler.
// Out:     arguments for Clang's driver, which end with `--` and the file.
// Cost:    linear in the arguments.
// Owns:    nothing; values.
// Threads: pure function, callable anywhere.
// Fails:   never; harmless.h judges what Clang makes of the arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/frontend/command/command.h"

namespace heddle::frontend {

// Searched after all other folders of headers: the models of test frameworks that are not installed (frameworks.h). It is
// on no disk.
inline constexpr std::string_view kFrameworkFolder = "/heddle-frameworks";

// Drops arguments that do not change the program's meaning (outputs, dependency files, instrumentation, plug-ins,
// warnings as errors). Heddle's own settings (server/frontend/README.md) come last and win.
std::vector<std::string> effective_arguments(const CompileCommand& command);

}  // namespace heddle::frontend
