// Lists what a unit means to a linker: the names it defines, those it needs, and what its static constructors reach.
//
// In:      a unit.
// Out:     its names.
// Cost:    linear in symbols, and in the code that static constructors reach.
// Owns:    nothing; copies of the names.
// Threads: pure functions, callable anywhere.
// Fails:   never.
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
  // Names through which static constructors reach other units: names that this unit does not define, and weak variables
  // of the project, which several units may define (of inline functions and templates).
  std::set<std::string> registers_with;
  bool starts_threads = false;  // from a static constructor

  // True if its constructors can affect other units.
  bool registers() const { return starts_threads || !registers_with.empty(); }
};

LinkNames link_names(const program::Unit& unit);

// True for mangled names of the C++ library (std, __gnu_cxx, __cxxabiv1) and of operator new and delete.
bool of_library(const std::string& name);

}  // namespace heddle::frontend
