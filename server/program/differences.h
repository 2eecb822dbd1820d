// Compares two units of the same text, for tests and for verification: was the unit that reused something made as one
// from scratch is?
//
// In:      two units.
// Out:     sentences, at most 20; none if the units are the same whatever the order in which they list their parts.
// Owns:    nothing.
// Threads: a pure function.
// Fails:   never.
#pragma once

#include <string>
#include <vector>

#include "server/program/unit.h"

namespace heddle::program {

std::vector<std::string> differences(const Unit& made, const Unit& expected);

}  // namespace heddle::program
