// Selects the part of a library unit that other units need, and the part of a program that some of its functions need.
//
// In:      a library unit, and the units of a program (or parts of libraries that were selected before).
// Out:     a unit with the definitions that those units need and lack, and what these need in turn. Equal needs give
//          equal units. It has no names of locals and no types for display. An initialiser with a priority of its own
//          comes with any part of the library; other initialisers are left out, because a library's objects are
//          constants or made at first use.
// Cost:    linear in the library unit and in the users' symbols.
// Owns:    nothing; the result shares nothing.
// Threads: pure functions, callable anywhere.
// Fails:   never; names that nothing defines stay undefined. Null if nothing is needed.
// From:    GNU ld (members of archives, --gc-sections). Differs: one function at a time, not one object file.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/program/unit.h"

namespace heddle::program {

// The folder that paths of library units and their texts name. It is on no disk.
inline constexpr std::string_view kLibraryFolder = "/libstdc++/";
// The library unit whose variables count for data races. It holds the static results that POSIX allows some functions.
inline constexpr std::string_view kLibraryState = "/libstdc++/posix.cc";

// Not by Clang either, which makes thunks and initialisers, also for classes of the library.
inline bool is_written_in_project(const Function& function) {
  return function.in_project && !function.statements.empty();
}

// Names with external linkage that the units use and none of them defines.
std::set<std::string> undefined_names(const std::vector<UnitPtr>& units);

// Null if nothing of the library is needed.
UnitPtr select_needed(const Unit& library, const std::vector<UnitPtr>& users);

// Of each unit of a program what its static constructors, main() and these functions reach by name; names that nothing
// else defines go to `outside`. Names of locals and types stay. The hashes are those of before.
std::vector<Unit> select_reached(const std::vector<UnitPtr>& units, const std::vector<std::string>& roots,
                                 std::set<std::string>& outside);

}  // namespace heddle::program
