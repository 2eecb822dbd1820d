// Says which library functions, and stores into the library's variables, change what the whole process shares and no
// argument names: the environment, handlers of signals and of the exit, the locale, random numbers, descriptors and the
// names of files.
//
// In:      the link name of a function, or of a variable.
// Out:     what it changes, for people: "the environment"; empty: nothing of this kind.
// Owns:    nothing.
// Threads: pure function of constant tables.
// Fails:   never. What a call only prints or reads counts as nothing, nor does the memory that it allocates.
#pragma once

#include <string_view>

namespace heddle::library {

std::string_view changed_for_process(std::string_view name);

// The same of a store into a variable of the library: `environ = mine`.
std::string_view changed_by_writing(std::string_view symbol);

}  // namespace heddle::library
