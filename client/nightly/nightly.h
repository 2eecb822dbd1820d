// `heddle nightly`: every interleaving of every target within a budget, compared with what the increments reported.
//
// In:      a check request for the project; a function that connects a backend per check; a budget in seconds, 0 for
//          none.
// Out:     a NightlyRun: per target what both agree on, what increments missed, what they reported and full exploration
//          does not confirm, what was fixed since. The checks themselves correct the ledger and the open findings.
// Owns:    `nightly/` in the project's cache folder: the run under way, from which a killed run continues, and one line
//          of JSON per run that ended.
// Threads: one; the functions of the request are called on it.
// Fails:   by value: why the run ended, and the exit code for it.
// From:    `docs/nightly/README.md`; the comparison follows Pairwise section 4.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "client/link/backend.h"
#include "client/nightly/slurm.h"
#include "client/report/exit_code.h"

namespace heddle::client {

struct NightlyFinding {
  std::string id, rule, message, place;  // place: "file:line"
  std::vector<std::string> edits;        // kinds of the edits it came with; none: older than the last nightly
};

// One kind of edit since the last nightly: how many edits, and what came of them. An edit of two kinds counts twice.
struct NightlyKind {
  std::string name;  // "lock dropped"
  uint64_t edits = 0, agreed = 0, missed = 0, unconfirmed = 0, fixed = 0, inconclusive = 0;
};

struct NightlyTarget {
  std::string name, verdict_before, verdict_full;
  bool complete = false;  // every interleaving was explored
  std::vector<NightlyFinding> agreed, missed, unconfirmed, fixed;
  std::vector<NightlyKind> kinds;
  int64_t last_increment_unix_ms = 0;    // the next nightly begins after it
  uint64_t executions = 0, resumed = 0;  // resumed: of the executions, those of an earlier run that was interrupted
  uint64_t pairs_explored = 0, pairs_owed = 0;
  double seconds = 0;
};

struct NightlyRun {
  int64_t started_unix_ms = 0;
  std::vector<NightlyTarget> targets;

  bool complete() const;
  size_t count(std::vector<NightlyFinding> NightlyTarget::* list) const;
};

struct NightlyRequest {
  v1::CheckRequest project;
  double budget_seconds = 0;
  std::string folder;  // nightly/ of the project's cache
  std::function<std::variant<std::unique_ptr<Backend>, Failure>()> connect;
  std::function<bool()> interrupted;
  std::function<void(Backend*)> running;             // null: none any more
  std::function<void(const std::string& text)> say;  // what it does now
  // Explores these targets elsewhere and says where their answers are; null: all are explored here.
  std::function<SlurmResult(const std::vector<std::string>& targets)> elsewhere;
  std::function<void(const std::string& text)> warn;
};
// Why a run ended before its end.
struct NightlyStop {
  Failure failure;
  ExitCode code = ExitCode::Internal;
};
std::variant<NightlyRun, NightlyStop> run_nightly(const NightlyRequest& request);

std::vector<NightlyRun> nightly_history(const std::string& folder);  // oldest first
std::string nightly_folder(const v1::CheckRequest& project);
ExitCode nightly_exit_code(const NightlyRun& run, OnInconclusive policy);

// `heddle check --verify-incremental` is the same for the edit at hand. A difference is a fault of Heddle.
std::string verification_folder(const v1::CheckRequest& project);
ExitCode verification_exit_code(const NightlyRun& run, OnInconclusive policy);
std::string verification_text(const NightlyRun& run, const std::string& root);
std::string verification_json(const NightlyRun& run);  // one line

std::string nightly_json(const NightlyRun& run);  // one line
std::string nightly_text(const NightlyRun& run, const std::string& root);
std::string nightly_html(const std::vector<NightlyRun>& history, const std::string& root);

}  // namespace heddle::client
