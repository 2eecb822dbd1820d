// A program while its units are found. Internal to this folder.
//
// In:      units by their number in the project.
// Out:     the program's units, and which names they have settled.
// Owns:    values.
// Threads: one.
// Fails:   never.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace heddle::frontend {

using Members = std::set<size_t>;

struct Making {
  size_t main = 0;
  std::string build_name;
  bool borrows = false;           // the main of a library
  std::set<std::string> folders;  // ids of its objects' folders
  std::set<std::string> linked;   // where the build says it: ids of what it is linked with, and its own
  std::vector<std::string> also_named = {};
  Members members;  // without the one with main
  std::set<std::string> settled = {"main"};
  std::set<std::string> strong = {};  // names
  std::set<std::string> wraps = {};   // names
  std::vector<std::string> notes, left_out;
};

}  // namespace heddle::frontend
