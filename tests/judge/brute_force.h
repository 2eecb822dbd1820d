// Every state of a small program, one step at a time, every shared access and free a scheduling point: no partial order
// reduction, no happens-before. Two threads that stand before conflicting accesses are a race.
//
// In:      a version; the most states to look at.
// Out:     objects that race; whether exit codes differ; ids of all other findings; nothing if there are more states.
// Owns:    nothing. Threads: one. Fails: never.
// From:    Adve and Hill 1990: under sequential consistency a program has a data race exactly if two conflicting
//          accesses can stand next to each other. Independent of `full`: it shares only the machine's single step.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "tests/judge/versions.h"

namespace heddle::judge {

struct States {
  std::set<std::string> races;   // objects
  std::set<std::string> others;  // ids
  uint64_t count = 0;
  bool exit_codes_differ = false;  // with the same inputs; paths on which a limit of time was over do not count
  bool may_race = false;  // or a compare-and-exchange, which writes when it succeeds, or a free stood beside an access
};
std::optional<States> all_states(const Version& version, uint64_t states_max);
// The object of a race: the machine keeps one access of a thread between two visible operations, so that of several
// statements that race on an object one pair is told, and which one depends on what is visible.
std::string race_object(const detect::Finding& finding);
std::set<std::string> race_objects(const std::vector<detect::Finding>& findings);

}  // namespace heddle::judge
