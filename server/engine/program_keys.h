// Keys of a program by its texts.
//
// In:      a program as it is put together; the compiled units of its project, settings.
// Out:     hashes in hexadecimal.
// Owns:    nothing.
// Threads: the engine's main thread.
// Fails:   never.
#pragma once

#include <string>
#include <vector>

#include "server/engine/project/project.h"
#include "server/engine/settings/settings.h"

namespace heddle::engine {

// Of the texts that the program's units read, and their flags.
std::string text_key(const frontend::Target& target, const std::vector<CompiledUnitPtr>& units);
// Of all that the program is made of and is explored with, with names that hold in any folder.
std::string portable_key(Project& project, const Settings& settings, const frontend::Target& target,
                         const std::vector<CompiledUnitPtr>& units);

}  // namespace heddle::engine
