// One measured run: the pairs of step 1, every interleaving, or the increment as shipped.
//
// In:      the version, and for increments the one before; a Setting and a Purpose; seconds that a run may take.
// Out:     milliseconds of wall time, executions, states, memory, the rules of the findings, whether it was cut short.
// Cost:    a process for each run, so that memory is measured and nothing of one run helps the next.
// Owns:    values.
// Threads: one.
// Fails:   throws std::runtime_error when a process cannot be started or its answer not be read.
// From:    Pairwise, section 4: bug finding stops at the first finding, safety looks at everything.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/analysis/analysis.h"

namespace heddle::bench {

using Files = std::map<std::string, std::string>;  // names in the program's folder -> texts

enum class Purpose : uint8_t { BugFinding, Safety };

struct Setting {
  std::string name;                  // "paper", "default", "scaled"
  bool visible = false;              // each plain access is a scheduling point, as in the paper
  bool races_in_safety = true;       // false: as in the paper, where safety does not detect races
  std::vector<std::string> defines;  // compiler flags
};

struct Measured {
  double ms = 0;
  bool cut = false;
  uint64_t executions = 0, states = 0;
  long memory_kb = 0;           // that the run took on top of what there was
  std::set<std::string> rules;  // of the findings
};

Measured run_full(const analysis::FactsPtr& version, const Setting& setting, Purpose purpose, double seconds);
// All chosen pairs, one after the other.
Measured run_pairs(const analysis::FactsPtr& base, const analysis::FactsPtr& version, const Setting& setting,
                   Purpose purpose, double seconds);
// The increment as a user has it: `heddle check --base OLD NEW` with a daemon and a cache folder of its own, from the
// start of the process to its end; both files are compiled. The destructor stops the daemon and deletes the folder.
class Shipped {
 public:
  explicit Shipped(std::string heddle);
  ~Shipped();
  Shipped(const Shipped&) = delete;
  Shipped& operator=(const Shipped&) = delete;

  // What was checked before is answered from the ledger, so texts must be new. A program of several units is a project
  // with a compile database.
  Measured run(const Files& old_files, const Files& new_files, const Setting& setting, double seconds) const;

 private:
  int call(const std::string& arguments) const;
  std::string arguments_for(const Files& files, const Setting& setting) const;

  std::string heddle_, home_;
};

}  // namespace heddle::bench
