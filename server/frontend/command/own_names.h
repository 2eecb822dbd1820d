// Gives what a shared library hides a name of its own, so that it binds within the library: hidden and protected
// symbols, and all that a library linked with -Bsymbolic defines.
//
// In:      units; what the build says of its targets (build_targets.h).
// Out:     the units; those of a shared library that define something which another module of the project defines, too,
//          as copies with other link names ("counter.plugin"). What else it defines yields to that of the program. Type
//          information keeps its name, because it is compared by it. add_notes() says what is not modelled: version
//          scripts.
// Cost:    linear in symbols, if a program is linked with a shared library; else nothing.
// Owns:    OwnNames keeps the copies of the last call, so that an unchanged unit stays the same object.
// Threads: one per OwnNames.
// Fails:   never. A source of several modules, and a library of objects that several modules take, keep their names.
// From:    System V ABI, ELF (symbol visibility, DT_SYMBOLIC); ld(1). Names with default visibility are one for the
//          process, the static variables of inline functions and of templates included.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/frontend/command/build_targets.h"
#include "server/frontend/command/targets.h"
#include "server/program/unit.h"

namespace heddle::frontend {

// Of a shared library, among what other modules define, too.
struct ModuleNames {
  std::set<std::string> own;       // it has its own, under other names
  std::set<std::string> yielding;  // it uses what is defined in the program, or in a library that is loaded earlier
  bool shares = false;             // something, if only what may be defined more than once
  bool operator==(const ModuleNames&) const = default;
};

class OwnNames {
 public:
  std::vector<program::UnitPtr> give(const std::vector<program::UnitPtr>& units, const std::vector<BuildTarget>& build);
  // Of the last call: to the targets that they concern.
  void add_notes(TargetSet& set) const;

 private:
  struct Known {
    program::UnitPtr from;
    ModuleNames names;
    std::string module;
    program::UnitPtr made;
  };
  std::map<std::string, Known> known_;                  // by path
  std::map<std::string, std::set<std::string>> notes_;  // sentence -> paths of the units that it is about
};

}  // namespace heddle::frontend
