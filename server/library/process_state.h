// Says which library functions change what the whole process shares, and no argument names: the environment, handlers
// of signals and of the exit, the locale, random numbers, descriptors and the names of files.
//
// In:      a link name.
// Out:     what it changes, for people: "the environment"; empty: nothing of this kind.
// Owns:    nothing.
// Threads: pure function of constant tables.
// Fails:   never. What a call only prints or reads counts as nothing, nor does the memory that it allocates.
#pragma once

#include <string_view>

namespace heddle::library {

std::string_view changed_for_process(std::string_view name);

}  // namespace heddle::library
