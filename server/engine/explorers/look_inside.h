// Prints the result of each stage of a check, for Heddle's developers: `heddle-engine --check --print-after=STAGES`.
//
// In:      the requested stages, and the results of the stages.
// Out:     text for each requested stage, through `print`, in the order in which stages run; equal for equal inputs.
// Cost:    a set look-up for a stage that was not requested.
// Owns:    nothing; values.
// Threads: one; `print` and `problem` run on the caller's thread.
// Fails:   never; stage_named returns nothing for an unknown word.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/edit/edit.h"
#include "server/engine/explorers/explorer.h"
#include "server/frontend/frontend.h"
#include "server/program/unit.h"

namespace heddle::engine {

enum class Stage : uint8_t {
  Unit,      // what the front end made of each file
  Facts,     // roles, objects, interaction statements of the linked program
  PointsTo,  // points-to sets of its operands
  Impact,    // fragments and pairs: the comparison with the base
  Relevant,  // the objects that the edit can affect, with the rule that added each
  Jobs,      // what is handed to the explorers
  Results,   // what they returned
};

inline constexpr std::string_view kStageNames[] = {"unit",     "facts", "points-to", "impact",
                                                   "relevant", "jobs",  "results"};
std::optional<Stage> stage_named(std::string_view name);

struct LookInside {
  std::set<Stage> stages;
  std::string only;     // for units: print functions whose name contains it; empty: all of the project
  bool verify = false;  // check units, facts, the comparison and explorations; compile reused units from scratch
  bool explain_compile = false;  // for each file: which tiers of reuse its unit took, and why not the better ones
  frontend::CompileOptions compile;
  std::function<void(const std::string&)> print;
  std::function<void(const std::string&)> problem;  // receives each problem that `verify` finds

  void after(Stage stage, const std::string& target, const std::function<std::string()>& text) const;
};

// The first N reductions on, the others off: bisection finds the one that loses a finding.
inline constexpr uint32_t kReductions = 5;  // spin detection, dynamic partial order, sleep sets, wakeup trees, states
explore::Reductions first_reductions(uint32_t count);

std::string print_unit(const program::Unit& unit, const std::string& only);
std::string print_relevant(const analysis::Facts& facts, const edit::Relevant& relevant);
std::string print_job(const analysis::Facts& facts, const Job& job);
std::string print_result(const v1::JobResult& result);  // without times

}  // namespace heddle::engine
