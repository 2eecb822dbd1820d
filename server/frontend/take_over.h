// Functions and variables of one unit into another of the same file.
//
// In:      the unit to add to, the one that has them, their link names.
// Out:     the unit with them and with the literals that they use; its hashes are those of the parts it had before.
// Threads: pure. Fails: false if something that one of them uses is defined in the other unit and not in this one.
#pragma once

#include <set>
#include <string>

#include "server/program/unit.h"

namespace heddle::frontend {

bool take_over(program::Unit& unit, const program::Unit& from, const std::set<std::string>& names);

// The functions in one order, whichever were taken over: the project's in the order of the text, those first that other
// units can rely on, then the library's by name.
void put_in_order(program::Unit& unit, const std::string& main_path);

}  // namespace heddle::frontend
