// Compares and names the files of units. Internal to this folder.
//
// In:      paths; the root of a project.
// Out:     steps through the directory tree from one file to the other; a path from the root; whether a library is one
//          of a main (gtest_main, Catch2WithMain).
// Owns:    nothing; values.
// Threads: pure functions, callable anywhere.
// Fails:   never. A file outside of the root is named without its folder.
#pragma once

#include <cstddef>
#include <string>

namespace heddle::frontend {

size_t distance(const std::string& a, const std::string& b);
std::string name_of(const std::string& path, const std::string& root, bool with_extension);
bool is_name_of_main(std::string name);

}  // namespace heddle::frontend
