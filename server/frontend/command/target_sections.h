// Makes one array of each gathered section of a program (server/program/sections.h).
//
// In:      programs.
// Out:     the programs, with units in which such sections are one variable; notes about their order.
// Cost:    linear in symbols; the changed units of an unchanged program are remembered.
// Owns:    TargetSections keeps the units of the last call.
// Threads: one per TargetSections.
// Fails:   never.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/frontend/command/targets.h"

namespace heddle::frontend {

class TargetSections {
 public:
  void gather(TargetSet& set);

 private:
  struct Known {
    std::vector<program::UnitPtr> from, made;
    std::vector<std::string> notes;
  };
  std::map<std::string, Known> known_;  // by name of the program
};

}  // namespace heddle::frontend
