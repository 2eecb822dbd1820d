// Every state of a small program, one step at a time, every shared access a scheduling point: no partial order
// reduction, no happens-before. Two threads that stand before conflicting accesses are a race.
//
// In:      a version; the most states to look at.
// Out:     races as pairs of lines; ids of all other findings; nothing if there are more states.
// Owns:    nothing. Threads: one. Fails: never.
// From:    Adve and Hill 1990: under sequential consistency a program has a data race exactly if two conflicting
//          accesses can stand next to each other. Independent of `full`: it shares only the machine's single step.
#pragma once

#include <optional>
#include <set>
#include <utility>

#include "tests/judge/versions.h"

namespace heddle::judge {

struct States {
  std::set<std::pair<uint32_t, uint32_t>> races;  // lines, the lower one first
  std::set<std::string> others;                   // ids
  uint64_t count = 0;
};
std::optional<States> all_states(const Version& version, uint64_t states_max);
std::set<std::pair<uint32_t, uint32_t>> race_lines(const std::vector<detect::Finding>& findings);

}  // namespace heddle::judge
