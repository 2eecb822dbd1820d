// Does a program touch only what the analysis says it may? Points-to sets are over-approximations: an access that they
// do not hold is an error of the analysis. So is a function that a thread runs and no role with its entry, and a second
// thread of a role that is taken for one.
//
// In:      a program that is linked with second_thread(), since the machine tells plain accesses only while there are
//          two threads; its facts; the seed of the schedule, 0: the lowest enabled thread goes first.
// Out:     how many accesses were compared; a text per statement that touches what the analysis does not know of.
// Cost:    one run in which every access is a scheduling point, at most kEventsMost of them.
// Threads: one.
#pragma once

#include "server/machine/machine.h"

namespace heddle::test {

program::UnitPtr second_thread();  // waits for ever

struct FactsCheck {
  uint64_t accesses = 0;
  std::string misses;
};
FactsCheck check_facts(const program::ProgramPtr& program, const analysis::FactsPtr& facts, machine::Options options,
                       uint64_t seed);

}  // namespace heddle::test
