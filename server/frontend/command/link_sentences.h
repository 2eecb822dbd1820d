// What a verdict says of units that are linked although nothing names them, or are not linked. Internal to this folder.
//
// In:      names of units as they are shown, and of symbols.
// Out:     sentences.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <string>

#include "server/frontend/command/link_names.h"

namespace heddle::frontend {

// Both define the name.
std::string not_linked_with(const std::string& unit, const std::string& name, const std::string& other);
std::string defined_twice(const std::string& name, const std::string& one, const std::string& other,
                          const std::string& used);
// Of units with static constructors. `names`: those of the unit; `registers`: in the program, or perhaps in a library.
std::string not_linked_although(const std::string& unit, const LinkNames& names, const std::string& name);
std::string linked_unnamed(const std::string& unit, const LinkNames& names, bool registers);
std::string unlinked_unit(const std::string& unit, const LinkNames& names, bool registers);

}  // namespace heddle::frontend
