// Copies functions and variables of one unit into another unit of the same file.
//
// In:      the unit to add to, the unit that has them, and their link names.
// Out:     the first unit with them and the constants that they use; its hashes are to be computed after that.
// Cost:    linear in both units' symbols and in what is copied.
// Owns:    nothing; the units share nothing.
// Threads: pure functions of their arguments.
// Fails:   import_functions is false if one of them uses what the other unit defines and this one does not. The unit
//          is then of no use.
#pragma once

#include <set>
#include <string>

#include "server/program/unit.h"

namespace heddle::frontend {

bool import_functions(program::Unit& unit, const program::Unit& from, const std::set<std::string>& names);

// Sorts the functions, whichever were reused: those of the project in the order of the text, with externally visible
// strong ones first; then the library's by name.
void put_in_order(program::Unit& unit, const std::string& main_path);

}  // namespace heddle::frontend
