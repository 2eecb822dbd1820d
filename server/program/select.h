// Linking of what is needed only: the part of a library unit that other units reach.
//
// In:      a library unit, and the units of a program (or parts of libraries selected before).
// Out:     a unit with the definitions of the library that those units need and lack, and what these need in turn.
//          Names of locals and types for display are left out. An initialiser with a priority of its own comes with
//          anything of the library; others are left out: a library's objects are constants, or made at first use.
//          Equal needs give equal units.
// Owns:    the result shares nothing. Threads: pure functions.
// Fails:   never; names that nobody defines stay undefined.
// From:    the members of an archive as `ld` takes them, per function instead of per object file (--gc-sections).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/program/unit.h"

namespace heddle::program {

// Where library units and their texts are said to be: a folder that no disk has.
inline constexpr std::string_view kLibraryFolder = "/libstdc++/";
// The unit whose variables threads race for, as functions that POSIX allows to keep a result natively do.
inline constexpr std::string_view kLibraryState = "/libstdc++/posix.cc";

// Names with external linkage that the units use and none of them defines.
std::set<std::string> undefined_names(const std::vector<UnitPtr>& units);

// Null if nothing of the library is needed.
UnitPtr select_needed(const Unit& library, const std::vector<UnitPtr>& users);

}  // namespace heddle::program
