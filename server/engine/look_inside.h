// What each stage of a check came to, in text, for Heddle's developers: `heddle-engine --check --print-after=STAGES`.
//
// In:      the stages that are asked for; what they made.
// Out:     text for each, through `print`, in the order in which the stages run; the same for equal inputs.
// Cost:    nothing for stages that nobody asked for.
// Owns:    values. Threads: one.
// Fails:   never; a word that names no stage is nothing.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/edit/edit.h"
#include "server/engine/explorer.h"
#include "server/program/unit.h"

namespace heddle::engine {

enum class Stage : uint8_t {
  Unit,      // what the front end made of each file
  Facts,     // roles, objects, interaction statements of the linked program
  PointsTo,  // points-to sets of its operands
  Impact,    // fragments and pairs: the comparison with the base
  Relevant,  // the objects that the edit can affect, with the rule that added each
  Jobs,      // what is handed to the explorers
  Results,   // what they came back with
};

inline constexpr std::string_view kStageNames[] = {"unit", "facts", "points-to", "impact", "relevant", "jobs", "results"};
std::optional<Stage> stage_named(std::string_view name);

struct LookInside {
  std::set<Stage> stages;
  std::string only;      // of units: functions whose name contains it; empty: all of the project
  bool verify = false;   // units and explorations are checked: verify_unit, without_reductions, same_findings
  std::function<void(const std::string&)> print;
  std::function<void(const std::string&)> problem;  // one that `verify` has found

  void after(Stage stage, const std::string& target, const std::function<std::string()>& text) const;
};

// Reductions by number, for a search of the one that loses a finding: the first N are on, the others off.
inline constexpr uint32_t kReductions = 5;  // spin detection, dynamic partial order, sleep sets, wakeup trees, states
explore::Reductions first_reductions(uint32_t count);

// Problems of a unit: what program::verify() says, and what is lost when it is written and read again.
std::vector<std::string> verify_unit(const program::Unit& unit);
// A job that ended after few states can be explored again in all orders; the work of all such jobs.
bool is_verified(const Job& job, const v1::JobResult& result);
Work without_reductions(const Work& work, const std::vector<v1::JobResult>& results);
// One sentence for each finding that only one of them has; searches that did not end prove nothing.
std::vector<std::string> same_findings(const v1::JobResult& reduced, const v1::JobResult& whole);

std::string print_unit(const program::Unit& unit, const std::string& only);
std::string print_relevant(const analysis::Facts& facts, const edit::Relevant& relevant);
std::string print_job(const analysis::Facts& facts, const Job& job);
std::string print_result(const v1::JobResult& result);  // without times

}  // namespace heddle::engine
