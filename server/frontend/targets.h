// Which units make a program: a unit that defines main, plus the units that define what it needs, transitively.
//
// In:      symbol tables of units. Out: targets, sorted by name; units that no target needs are listed apart.
// Fails:   never. Ambiguity (two units define a needed symbol): the unit nearest in the directory tree, then by path;
//          noted in Target::notes.
// Threads: pure functions. From: design section 4 point 2.
#pragma once

#include <string>
#include <vector>

#include "server/program/unit.h"

namespace heddle::frontend {

struct Target {
  std::string name;                     // path of the unit with main, relative to the project root, without extension
  std::vector<program::UnitPtr> units;  // the unit with main first, the others sorted by path
  std::vector<std::string> notes;
};

struct TargetSet {
  std::vector<Target> targets;
  std::vector<std::string> unused;  // paths of units in no target
};

TargetSet find_targets(const std::vector<program::UnitPtr>& units, const std::string& root);

}  // namespace heddle::frontend
