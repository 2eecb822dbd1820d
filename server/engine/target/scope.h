// Writes down what a verdict rests on. A clear verdict must never read as "the program is correct".
//
// In:      what was explored, reused, owed, cut short.
// Out:     Scope::summary, and lines for Scope::limits and Verdict::message.
// Owns:    nothing; values.
// Threads: pure functions, callable anywhere.
// Fails:   never.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heddle/v1/explorer.pb.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::engine {

// Facts for the summary line that Scope has no fields for.
struct ScopeFacts {
  bool nothing_changed = false;  // no interaction statement changed
  bool from_ledger = false;      // the same content was judged before
  bool one_thread = false;
  bool full = false;           // every interleaving was asked for
  bool graphs = false;         // execution graphs were explored in place of interleavings
  bool whole_program = false;  // everything counts as changed
  uint32_t fragments = 0;
  uint32_t pairs_chosen = 0;
  uint64_t executions = 0;
  double limit_seconds = 0;  // the limit that was hit; 0: none
  // Not all interleavings were explored, but all with at most this number of preemptive switches.
  std::optional<uint32_t> preemptive_switches;
};

// Sets Scope::summary from the other fields.
void summarise(v1::Scope& scope, const ScopeFacts& facts);
// "up to 3 preemptive switches"
std::string up_to_switches(uint32_t most);
// What multiplies in a search that did not end: "38 % of its steps are in work (a.c:5), by 3 threads: main.0 (work),
// ..."; empty: not known.
std::string busiest_text(const v1::JobResult& result);
// One line for a job that did not end as it should: "pair worker / main: the explorer was ended by SIGSEGV".
std::string incomplete_text(const std::string& job, const v1::JobResult& result, double seconds);
// One line for a limit that ended paths: "calls 'dlopen', which ... (a.c:5), on 2 paths".
std::string limit_text(const v1::JobLimit& limit);
// "a; b; c"
std::string join(const std::vector<std::string>& parts);
// "2 minutes ago"
std::string age_text(int64_t then_unix_ms, int64_t now_unix_ms);

}  // namespace heddle::engine
