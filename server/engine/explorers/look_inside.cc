#include "server/engine/explorers/look_inside.h"

#include <algorithm>
#include <iterator>

#include "server/program/print.h"
#include "server/program/serialise.h"

namespace heddle::engine {

namespace {

constexpr uint64_t kVerifyStates = 300;
constexpr double kVerifySeconds = 30;

std::string thread_text(const analysis::Facts& facts, const edit::ThreadName& thread) {
  const analysis::Role& role = facts.roles[thread.role.value];
  return role.name + (role.multiplicity == analysis::Multiplicity::Many ? "#" + std::to_string(thread.instance) : "");
}

std::string_view mode_text(explore::Mode mode) {
  switch (mode) {
    case explore::Mode::Pairwise: return "pairwise";
    case explore::Mode::Affected: return "affected";
    case explore::Mode::Full: return "full";
    case explore::Mode::Graphs: return "graphs";
    case explore::Mode::Random: return "random";
  }
  return "?";
}

std::string reductions_text(const explore::Reductions& on) {
  std::string off;
  const auto add = [&](bool is_on, const char* name) {
    if (!is_on) off += (off.empty() ? "" : ", ") + std::string(name);
  };
  add(on.spin_detection, "spin detection");
  add(on.dynamic_partial_order, "dynamic partial order");
  add(on.sleep_sets, "sleep sets");
  add(on.wakeup_trees, "wakeup trees");
  add(on.state_matching, "state matching");
  return off.empty() ? "" : "  off: " + off + "\n";
}

}  // namespace

std::optional<Stage> stage_named(std::string_view name) {
  const auto* const found = std::find(std::begin(kStageNames), std::end(kStageNames), name);
  if (found == std::end(kStageNames)) return std::nullopt;
  return static_cast<Stage>(found - std::begin(kStageNames));
}

void LookInside::after(Stage stage, const std::string& target, const std::function<std::string()>& text) const {
  if (!stages.contains(stage)) return;
  print("== " + target + ": after " + std::string(kStageNames[static_cast<size_t>(stage)]) + "\n" + text());
}

explore::Reductions first_reductions(uint32_t count) {
  explore::Reductions on;
  on.spin_detection = count > 0;
  on.dynamic_partial_order = count > 1;
  on.sleep_sets = count > 2;
  on.wakeup_trees = count > 3;
  on.state_matching = count > 4;
  return on;
}

std::vector<std::string> verify_unit(const program::Unit& unit) {
  std::vector<std::string> problems = program::verify(unit);
  const std::optional<program::Unit> again = program::read_unit(program::write_unit(unit));
  if (!again)
    problems.push_back("it cannot be read once it is written");
  else if (program::print(*again) != program::print(unit))
    problems.push_back("it is another once it is written and read");
  return problems;
}

bool is_verified(const Job& job, const v1::JobResult& result) {
  return job.kind == Job::Kind::Explore && result.completeness() == v1::JOB_COMPLETE &&
         result.stats().states() <= kVerifyStates;
}

Work without_reductions(const Work& work, const std::vector<v1::JobResult>& results) {
  Work again = work;
  again.jobs.clear();
  again.last_begins_after = 0;
  again.deadline = base::after_seconds(base::now(), kVerifySeconds);
  for (size_t n = 0; n < work.jobs.size() && n < results.size(); ++n) {
    if (!is_verified(work.jobs[n], results[n])) continue;
    again.jobs.push_back(work.jobs[n]);
    again.jobs.back().task.reductions = first_reductions(1);  // without the first, waiting loops never end
    again.jobs.back().task.budget = {};
    again.jobs.back().task.resume.clear();
  }
  return again;
}

std::vector<std::string> same_findings(const v1::JobResult& reduced, const v1::JobResult& whole) {
  if (reduced.completeness() != v1::JOB_COMPLETE || whole.completeness() != v1::JOB_COMPLETE) return {};
  const auto rules = [](const v1::JobResult& result) {
    std::set<std::string> out;
    for (const v1::Finding& finding : result.findings()) out.insert(finding.rule());
    return out;
  };
  std::vector<std::string> out;
  const std::set<std::string> with = rules(reduced), without = rules(whole);
  for (const std::string& rule : without)
    if (!with.contains(rule)) out.push_back("a " + rule + " is found without reductions only");
  for (const std::string& rule : with)
    if (!without.contains(rule)) out.push_back("a " + rule + " is found with reductions only");
  return out;
}

std::string print_unit(const program::Unit& unit, const std::string& only) {
  program::Unit shown = unit;
  std::erase_if(shown.functions, [&](const program::Function& function) {
    return only.empty() ? !function.in_project : function.display_name.find(only) == std::string::npos;
  });
  return program::print(shown);
}

std::string print_relevant(const analysis::Facts& facts, const edit::Relevant& relevant) {
  if (relevant.everything) return "everything\n";
  std::string text;
  for (size_t o = 0; o < relevant.objects.size(); ++o)
    if (relevant.objects[o]) text += facts.objects[o].name + "\n";
  for (const std::string& reason : relevant.reasons) text += "because " + reason + "\n";
  return text;
}

std::string print_job(const analysis::Facts& facts, const Job& job) {
  if (job.kind == Job::Kind::Replay) return "replay " + detect::print(job.schedule) + "\n";
  const explore::Task& task = job.task;
  std::string text = "explore " + std::string(mode_text(task.mode));
  if (task.mode == explore::Mode::Pairwise)
    text += " (" + thread_text(facts, task.modified) + ", " + thread_text(facts, task.other) +
            "): " + task.fragment.description;
  text += "\n";
  const auto relevant = std::count(task.relevant.begin(), task.relevant.end(), true);
  text += "  relevant objects: " + (task.relevant.empty() ? "all" : std::to_string(relevant)) + "\n";
  if (task.budget.states_max > 0) text += "  states at most: " + std::to_string(task.budget.states_max) + "\n";
  if (!task.visible.empty()) text += "  racy statements made visible: " + std::to_string(task.visible.size()) + "\n";
  return text + reductions_text(task.reductions);
}

std::string print_result(const v1::JobResult& result) {
  std::string text = v1::JobCompleteness_Name(result.completeness());
  text += ": " + std::to_string(result.stats().executions()) + " executions, " +
          std::to_string(result.stats().states()) + " states, " + std::to_string(result.stats().redundant()) +
          " redundant\n";
  for (const v1::Finding& finding : result.findings())
    text += "  finding " + finding.id() + ": " + finding.message() + "\n";
  for (const v1::JobLimit& limit : result.limits()) text += "  limit " + limit.rule() + ": " + limit.message() + "\n";
  return text;
}

}  // namespace heddle::engine
