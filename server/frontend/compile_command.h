// From the user's compile command to the arguments we compile with. Internal.
#pragma once

#include <string>
#include <vector>

#include "server/frontend/frontend.h"

namespace heddle::frontend {

// What does not concern the meaning of the program (outputs, dependency files, instrumentation, plug-ins, warnings as
// errors) is left out; our own settings (server/frontend/README.md) come last and win.
std::vector<std::string> effective_arguments(const CompileCommand& command);

}  // namespace heddle::frontend
