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
#include <set>
#include <string>
#include <vector>

namespace heddle::frontend {

size_t distance(const std::string& a, const std::string& b);
std::string name_of(const std::string& path, const std::string& root, bool with_extension);
bool is_name_of_main(std::string name);
// The first of the names that is not taken, or the last one with a number. It is taken then.
std::string take_name(const std::vector<std::string>& names, std::set<std::string>& taken);

}  // namespace heddle::frontend
