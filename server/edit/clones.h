// Distinguishes what changed functions do through libraries from what other callers do: it analyses both versions
// again, with clones of library functions for the changed callers.
//
// In:      facts of both versions, and the fragments found without clones.
// Out:     facts of both versions with clones, and the translation of what is found there to the new version. Nothing,
//          if no changed function calls a library, or if every fragment lies in a changed function. Nothing either, if
//          there are too many changed functions, fragments or clones.
// Cost:    two more analyses of the whole program, at the same time.
// Owns:    the facts with clones. WithoutClones refers to its arguments, which must outlive it.
// Threads: clone_for_changed runs one analysis on a thread of its own and joins it before it returns. The rest is pure.
// Fails:   never; translate() is false if a role has no counterpart.
// From:    Whaley, Lam 2004 (cloning-based context sensitivity). Differs: only the edit's own calls are cloned. A
//          program with clones behaves like the program, so conclusions from comparing two programs hold for it.
#pragma once

#include <map>
#include <optional>

#include "server/edit/fragments.h"

namespace heddle::edit {

struct ClonedVersions {
  FactsPtr before, after;
};
std::optional<ClonedVersions> clone_for_changed(const FactsPtr& before, const FactsPtr& after, const Fragments& found);

// From a version with clones to the same version without.
class WithoutClones {
 public:
  WithoutClones(const Facts& cloned, const Facts& facts);
  // False: a role has no counterpart, and nothing was done.
  bool translate(Fragments& fragments) const;
  std::vector<ObjectId> objects(const std::vector<ObjectId>& cloned) const;  // sorted
  CodeAddress address(CodeAddress at) const { return {cloned_.program->original(at.function), at.index}; }

 private:
  void add_object(ObjectId cloned, std::vector<ObjectId>& to) const;

  const Facts& cloned_;
  const Facts& facts_;
  std::map<std::string, ObjectId> nowhere_;  // objects without a place that makes them, by name
  std::vector<RoleId> roles_;                // by role of the version with clones; none: no counterpart
};

}  // namespace heddle::edit
