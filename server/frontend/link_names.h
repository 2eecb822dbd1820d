// What a unit means to a linker: the names it defines, those it needs, and what its static constructors do to others.
//
// In:      a unit. Out: its names. Owns: copies. Threads: pure functions. Fails: never.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/program/unit.h"

namespace heddle::frontend {

struct LinkNames {
  std::map<std::string, bool> defined;  // name -> weak
  std::vector<std::string> needed;      // sorted
  // What static constructors reach of other units: names that this one does not define, and variables of the project
  // that several units define (of inline functions and templates).
  std::set<std::string> registers_with;
  bool starts_threads = false;  // from a static constructor

  // Has constructors that could make a difference to others.
  bool registers() const { return starts_threads || !registers_with.empty(); }
};

LinkNames link_names(const program::Unit& unit);

// The C and C++ libraries' names; a program defines none of them.
bool of_library(const std::string& name);

}  // namespace heddle::frontend
