#include "server/frontend/command/target_sections.h"

#include "server/program/sections.h"

namespace heddle::frontend {

void TargetSections::gather(TargetSet& set) {
  for (Target& target : set.targets) {
    Known& known = known_[target.name];
    if (known.from != target.units) {
      known = {target.units, {}, {}};
      known.made = program::gather_sections(target.units, known.notes);
    }
    target.units = known.made;
    target.notes.insert(target.notes.end(), known.notes.begin(), known.notes.end());
  }
}

}  // namespace heddle::frontend
