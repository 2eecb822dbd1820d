// What a changed function does through libraries, told from what everybody does through them.
//
// In:      facts of both versions, and the fragments found without clones.
// Out:     facts of both with clones of what the changed functions of the project call in libraries, and the way back
//          from what is found there to the new version. Nothing, if no changed function calls a library, if all
//          fragments lie in changed functions anyway, or if there are so many of them, or of clones, that it does not pay.
// Cost:    two more points-to analyses, side by side.
// Owns:    the facts with clones. Threads: one of its own while it makes them. Fails: never.
// From:    cloning-based context sensitivity (Whaley, Lam 2004), for the edit's calls alone. A program with clones does
//          what the program does, so whatever holds of comparing two programs holds of comparing these.
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
  std::map<std::string, ObjectId> nowhere_;  // objects that are made at no place, by name
  std::vector<RoleId> roles_;                // by role of the version with clones; none: no counterpart
};

}  // namespace heddle::edit
