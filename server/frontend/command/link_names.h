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
  // Names through which static constructors may reach other units: names that this unit does not define, also those of
  // the C library, and weak variables of the project, which several units may define (of inline functions and
  // templates). What runs at exit only, such as a destructor, is none.
  std::set<std::string> registers_with;
  bool starts_threads = false;  // from a static constructor
  // What static constructors do with the library, and what this changes for the whole process, in words:
  // "call setenv()", "write environ", "the environment". Empty: nothing.
  std::string changes_with{}, changes{};
  bool has_cases = false;  // test cases (test_cases.h)
  bool runs_cases = false;
};

LinkNames link_names(const program::Unit& unit);

// True for mangled names of the C++ library (std, __gnu_cxx, __cxxabiv1) and of operator new and delete.
bool of_library(const std::string& name);

}  // namespace heddle::frontend
