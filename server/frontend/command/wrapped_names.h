// Binds calls as the linker's option --wrap=NAME does: what is undefined in an object and called NAME is `__wrap_NAME`,
// and `__real_NAME` is NAME.
//
// In:      the words of a linker's command line; programs, with the names that they wrap.
// Out:     the names; the programs, with copies of the units that the option concerns.
// Cost:    linear in symbols, for programs that wrap names; else nothing.
// Owns:    WrappedNames keeps the copies of the last call, so that an unchanged unit stays the same object.
// Threads: one per WrappedNames.
// Fails:   never. A name whose calls are operations of the machine is a sentence in Target::left_out. Units of shared
//          libraries and of Heddle's own library keep their names: they are linked before.
// From:    ld(1), --wrap.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/frontend/command/targets.h"

namespace heddle::frontend {

// The names in "-Wl,--wrap=malloc,--wrap,free" and "-Xlinker --wrap=malloc".
std::set<std::string> wrapped_in(const std::vector<std::string>& words);

class WrappedNames {
 public:
  void bind(TargetSet& set);

 private:
  struct Known {
    program::UnitPtr from;
    std::set<std::string> names;
    program::UnitPtr made;
  };
  std::map<std::pair<std::string, std::string>, Known> known_;  // by names of the program, and paths
};

}  // namespace heddle::frontend
