// Chooses the modules of guest text that a program needs, by the names it leaves undefined.
//
// In:      the undefined link names of a program; the path of a file.
// Out:     names of modules in server/frontend/support, in the order in which they are to be linked; what a file is for.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never; a name without a definition asks for no module of C; a mangled one asks for those of C++.
// From:    docs/LIBRARY.md.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::library {

std::vector<std::string_view> needed_modules(const std::set<std::string>& undefined);
// Of a file of guest text: does it wait for descriptors and messages for the program?
bool serves_descriptors(std::string_view path);

}  // namespace heddle::library
