// Which findings are one defect: races that one missing lock or one missing order causes, and what they lead to; faults
// at one place of the text, which template instances and callers only repeat; a use of freed memory and its race with the
// free.
//
// In:      findings of one version with their interleavings, in the order in which they are to be looked at.
// Out:     Finding::group: the id of the finding that stands for the defect. Races are one defect if the same lock is
//          missing in the same function or for the same object; where no side holds a lock, if they are on parts of one
//          object in a function of both, or the same variable should have ordered them.
// Cost:    the square of the number of races.
// Owns:    what it needs of the races that joined.
// Threads: one.
// Fails:   never; a finding without an interleaving, one that is suppressed, one that is not confirmed and one that the
//          given base has stand for themselves.
// From:    ours.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"

namespace heddle::engine {

// What a race says about what is missing.
struct RaceFacts {
  std::string part, object;         // "q.items[0]", "q"
  std::set<std::string> guards;     // locks that one side holds and the other one does not
  std::set<std::string> functions;  // the sides that do not hold them
  std::string order;                // without guards: the variable by which one thread learnt of the other's access
};
RaceFacts race_facts(const v1::Finding& race);
bool same_defect(const RaceFacts& x, const RaceFacts& y);

class DefectGroups {
 public:
  void join(v1::Finding& finding);  // sets its group

 private:
  struct Member {
    RaceFacts facts;
    std::string group;
    bool introduced;  // never hidden by one that was there before
  };
  std::vector<Member> races_;
  std::map<std::string, std::string> faults_;    // by rule, place and whether it is new: the id that stands for them
  std::map<std::string, std::string> freed_;     // by the places of free and use
  std::map<std::string, std::string> group_of_;  // by id
};

// All of them once more: those in `leaders` stand for their defect before others do, then those whose race says most.
// Returns the indices of the findings whose group is another one now.
std::vector<size_t> regroup(std::vector<v1::Finding>& findings, const std::set<std::string>& leaders);

// Another finding stands for it.
bool is_led(const v1::Finding& finding);

}  // namespace heddle::engine
