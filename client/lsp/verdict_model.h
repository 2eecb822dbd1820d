// What is known of a project after its last verdicts, as a state for everything that is on screen. Diagnostics, lenses,
// hovers, the status and the client's views show these states; none of them finds a state by itself.
//
// In:      findings, fragments and verdicts of one project; what its session does; whether its text is newer.
// Out:     an answer for the project, each target, each changed fragment and each pair.
// Owns:    nothing that outlives its input.
// Threads: pure functions of const inputs.
// Fails:   never. What is not known is a state of its own: nothing is clear that was not looked at.
// From:    `docs/LSP.md`, "States".
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/lsp/findings.h"

namespace heddle::client::lsp {

enum class State : uint8_t { Queued, Running, Clear, Error, Inconclusive, NotChecked, Stale };
const char* name_of(State state);  // "queued", ..., "not-checked", "stale"

struct Answer {
  State state = State::NotChecked;
  std::string code;    // why it is not checked or inconclusive, see docs/LSP.md: "compile-error", "limit", ...
  std::string reason;  // the same in words, for people; empty where the state says everything
  bool operator==(const Answer&) const = default;
};

// Of a changed fragment: also the findings that run through it.
struct FragmentAnswer : Answer {
  std::vector<const ShownFinding*> findings;
};

struct TargetAnswer : Answer {
  std::vector<FragmentAnswer> fragments;  // as TargetState::fragments
  std::vector<Answer> pairs;              // as TargetState::diffed.pairs
};

struct VerdictModel : Answer {
  std::map<std::string, TargetAnswer> targets;
};

// What the session of the project does, and how its last check ended.
struct SessionFacts {
  enum class Work : uint8_t { None, Queued, Running };
  Work work = Work::None;
  uint64_t run = 0;  // the running one
  bool daemon_answers = true;
  std::string problem;                   // of a daemon that does not
  const v1::Verdict* verdict = nullptr;  // the last one of a whole check; null: none
  uint64_t no_target_run = 0;          // the check that came to none: no program, a broken setting; 0: the last one did
  std::set<std::string> failed_files;  // and concerns targets with these alone; empty: all
  bool has_database = true;            // false: a lone file
  bool text_is_newer = false;          // than what the last verdict is about, in something that can matter
  bool target_is_running(const TargetState& target) const { return work == Work::Running && target.run == run; }
};

VerdictModel model_of(const std::map<std::string, TargetState>& targets, const SessionFacts& session);

// Why a verdict answers nothing.
Answer why_not_checked(const v1::Verdict& verdict, bool has_database);
// Where a verdict names places that were not looked at, or beyond which nothing was: errors of the compiler, unknown
// functions, limits.
struct UncheckedPlace {
  v1::Place place;
  Answer answer;
};
std::vector<UncheckedPlace> unchecked_places(const v1::Verdict& verdict, bool has_database);

// Counts as an error: neither suppressed, nor seen in an earlier version only.
bool counts(const ShownFinding& shown);
// A place, a decisive step or a step of the finding's story is in the fragment; of a deleted one, in its function.
bool runs_through(const ShownFinding& shown, const ShownFragment& fragment);

// For people and tests: a line each for the project, targets, fragments and pairs.
std::string print(const VerdictModel& model);

}  // namespace heddle::client::lsp
