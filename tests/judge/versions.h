// A version of a program, what full exploration says of it, and what an increment says of an edit, in one process.
//
// In:      C or C++ text; limits in executions, so that every run says the same.
// Out:     findings with what was explored. Books follow the engine's ledger (target_record.cc): which version is
//          compared with, which findings are open.
// Cost:    a compilation of C takes 5 ms, of C++ 50 times that; most searches take less.
// Owns:    versions share their programs. Threads: one.
// Fails:   throws std::runtime_error when the text does not compile.
// From:    docs/ALGORITHM.md, docs/LEDGER.md.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "server/explore/explore.h"
#include "tests/judge/program_tree.h"

namespace heddle::judge {

struct Limits {
  uint64_t executions = 4000;     // of full on one version
  uint64_t pair_states = 20'000;  // of one pair
  double seconds = 60;            // of one search: a net, not a rule
};

struct Version {
  std::string text;
  program::ProgramPtr program;
  analysis::FactsPtr facts;
  machine::ImagePtr image;
  std::vector<std::string> lines;  // of the text
};
using VersionPtr = std::shared_ptr<const Version>;
VersionPtr compile(const std::string& text, Language language);
void warm_up(Language language);  // what all compilations share, before processes are forked
void show_texts();                // each one on standard output before it is compiled: to see what a crash was about

// What an error is to a user: its kind, functions, and the text of its statements.
std::string place_key(const Version& version, const detect::Finding& finding);

bool ends_path(const std::string& rule);  // of a finding: what comes after it was not explored

struct Explored {
  std::vector<detect::Finding> findings;
  explore::Statistics statistics;
  bool complete = true;  // all of it was explored
  std::vector<machine::CodeAddress> racy;
};
// `by_states`: every state once, where that is possible, rather than every execution up to equivalence.
Explored run_full(const Version& version, const Limits& limits, bool with_facts = true, bool by_states = false);
std::set<std::string> ids(const std::vector<detect::Finding>& findings);
std::set<std::string> keys(const Version& version, const std::vector<detect::Finding>& findings);

// Weakened increments, to see the judge fail.
enum class Weakness { None, NoStep2, NoPairs, LoseFragment };

struct Increment {
  std::vector<detect::Finding> findings;  // replayed, step 1, step 2: each id once
  std::vector<detect::Finding> by_step1;  // of these: by step 1 or a replay
  uint64_t executions1 = 0, executions2 = 0;
  uint32_t pairs = 0, pairs_incomplete = 0, fragments = 0;
  VersionPtr base;       // what it was compared with; null: nothing
  bool nothing = false;  // judged to change nothing
  bool everything = false;
  bool complete = true;
  std::vector<detect::Finding> not_shown;  // by their own schedules
  std::string impact;                      // in words
};

class Books {
 public:
  // The first version is owed as a whole.
  explicit Books(const Limits& limits, Weakness weakness = Weakness::None) : limits_(limits), weakness_(weakness) {}
  Increment check(const VersionPtr& version);
  // As if `version` had been checked in full with these findings.
  void settle(const VersionPtr& version, const std::vector<detect::Finding>& findings);

 private:
  std::vector<detect::Finding> replay_open(const Version& version, Increment& increment);
  VersionPtr choose_base(const std::vector<detect::Finding>& replayed) const;
  void explore(const Version& version, const VersionPtr& base, Increment& increment);

  Limits limits_;
  Weakness weakness_;
  VersionPtr base_, clean_, last_;
  std::vector<detect::Finding> base_findings_, open_;
};

}  // namespace heddle::judge
