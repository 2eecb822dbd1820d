#include "server/engine/explorers/look_inside.h"

#include <algorithm>
#include <iterator>

#include "server/program/print.h"

namespace heddle::engine {

namespace {

std::string role_text(const analysis::Facts& facts, const edit::ThreadName& thread) {
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
    text += " (" + role_text(facts, task.modified) + ", " + role_text(facts, task.other) +
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
