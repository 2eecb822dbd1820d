// Finds the cases of test programs, and makes each case that can start a thread a program of its own.
//
// In:      units compiled with Heddle's models of test frameworks (server/frontend/frameworks), and programs.
// Out:     names of cases as their framework writes them ("Counter.TwoThreads", "suite/case"); programs that run one
//          case: what it reaches of the program's units, and a unit that calls it. Other cases are not in it, so that
//          an edit of one case changes no other program.
// Cost:    linear in what a case reaches; cases of unchanged units are remembered.
// Owns:    CaseTargets keeps the programs of the last call.
// Threads: one per CaseTargets; the functions are pure.
// Fails:   never. A program none of whose cases starts a thread is kept, and says so.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/frontend/command/targets.h"
#include "server/program/unit.h"

namespace heddle::frontend {

// Calls the case that a program is for. Models of frameworks call it; each program of a case defines it.
inline constexpr const char* kRunCase = "heddle.run_case";

struct TestCase {
  std::string name;
  std::string link_name;
};
std::vector<TestCase> test_cases(const program::Unit& unit);  // in the order of the unit's functions

class CaseTargets {
 public:
  // Puts a program per case in the place of each program with cases.
  void replace_programs(TargetSet& set);

 private:
  struct Known {
    std::vector<program::UnitPtr> from;
    std::vector<Target> made;
  };
  std::map<std::string, Known> known_;  // by name of the program
};

}  // namespace heddle::frontend
