#include "client/report/status_text.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "client/report/numbers.h"
#include "client/report/phase_words.h"
#include "server/verdict/background.h"

namespace heddle::client {
namespace {

constexpr size_t kProjectsMost = 20;

constexpr const char* kUnknown = "not checked since the daemon started";

// Only an engine reads what is kept on the disk, and none is started for the status.
bool is_unknown(const v1::ProjectStatus& project) {
  return project.responsive() && project.engine_pid() == 0 && project.last_verdict().empty();
}

// Of what the daemon measures. The last ones are times since the save.
std::string latency_words(const std::string& phase) {
  constexpr std::pair<std::string_view, std::string_view> kRows[] = {
      {"compile", "compiling"},
      {"analyse", "analysing"},
      {"diff", "comparing"},
      {"explore", "exploring"},
      {"step1", "until step 1 ends"},
      {"step2", "until step 2 ends"},
      {"first_finding", "until a finding"},
      {"total", "until the verdict"},
  };
  for (const auto& [name, words] : kRows)
    if (phase == name) return std::string(words);
  return phase;
}

std::string answer_of(const v1::ProjectStatus& project, const Style& style) {
  if (!project.responsive()) return style.paint(Ink::Yellow, "does not answer");
  if (project.phase() != "idle" && !verdict::background_of(project.phase())) return phase_words(project.phase());
  if (project.open_findings() > 0) return counted(project.open_findings(), "open finding");
  const std::string& verdict = project.last_verdict();
  if (is_unknown(project)) return kUnknown;
  if (verdict.empty()) return "not checked yet";
  if (verdict == "clear" || verdict == "inconclusive" || verdict == "error") return verdict;
  return project.complete() ? "nothing open" : "not complete";
}

std::string line_of(const v1::ProjectStatus& project, const Style& style, int64_t now_unix_ms) {
  std::string name = style.path(project.files_size() > 0 ? project.files(0) : project.root());
  if (project.files_size() > 1)
    name += " and " + counted(static_cast<uint64_t>(project.files_size() - 1), "other file");
  std::string text = "  " + style.paint(Ink::Bold, name) + ": " + answer_of(project, style);
  if (project.pairs_owed() > 0) text += ", " + counted(project.pairs_owed(), "pair") + " owed";
  if (project.responsive() && verdict::background_of(project.phase())) text += ", " + phase_words(project.phase());
  if (project.last_verdict_unix_ms() > 0) text += ", " + age_text(project.last_verdict_unix_ms(), now_unix_ms);
  if (project.engine_memory_bytes() > 0) text += ", engine " + bytes_text(project.engine_memory_bytes());
  return text + (project.watched() ? ", watched" : "") + "\n";
}

std::string latency_table(const v1::ProjectStatus& project, const Style& style) {
  char row[128];
  std::snprintf(row, sizeof row, "  %-18s %10s %10s %7s\n", "latency", "median", "95th", "checks");
  std::string text = style.paint(Ink::Dim, row);
  for (const v1::PhaseLatency& phase : project.latency()) {
    std::snprintf(row, sizeof row, "  %-18s %10s %10s %7u\n", latency_words(phase.phase()).c_str(),
                  duration_text(phase.p50_ms()).c_str(), duration_text(phase.p95_ms()).c_str(), phase.count());
    text += row;
  }
  return text;
}

}  // namespace

std::string project_text(const v1::ProjectStatus& project, const Style& style, int64_t now_unix_ms) {
  std::string name = project.root();
  if (project.files_size() > 0) name = style.path(project.files(0));
  for (int i = 1; i < project.files_size(); ++i) name += ", " + style.path(project.files(i));
  std::string text = style.paint(Ink::Bold, name) + "\n";
  const auto line = [&](const char* label, const std::string& value) {
    text += "  " + style.paint(Ink::Dim, label) + value + "\n";
  };
  line("phase:          ",
       phase_words(project.phase()) + (project.responsive() ? "" : style.paint(Ink::Yellow, ", does not answer")));
  if (!project.responsive()) return text;
  if (is_unknown(project)) {
    line("open findings:  ", std::string(kUnknown) + ": `heddle show` reads them from the disk");
    return text;
  }
  line("complete:       ", project.complete()         ? "yes"
                           : project.pairs_owed() > 0 ? "no, " + counted(project.pairs_owed(), "pair") + " owed"
                                                      : "no");
  if (project.saves_power()) line("on battery:     ", "what is owed waits for mains power, or for the next check");
  line("open findings:  ", std::to_string(project.open_findings()));
  if (!project.last_verdict().empty()) {
    // An engine that has just started knows the verdict from the ledger, but not when it was given.
    const int64_t given = project.last_verdict_unix_ms();
    line("last verdict:   ", project.last_verdict() + (given > 0 ? ", " + age_text(given, now_unix_ms) : ""));
  }
  if (project.watched()) line("watched:        ", "every save is checked");
  std::string targets;
  for (const std::string& target : project.targets()) targets += (targets.empty() ? "" : ", ") + style.path(target);
  if (!targets.empty()) line("targets:        ", targets);
  if (project.engine_pid() > 0) {
    line("engine:         ",
         "process " + std::to_string(project.engine_pid()) + ", " + bytes_text(project.engine_memory_bytes()) +
             (project.engine_restarts() > 0 ? ", started again " + counted(project.engine_restarts(), "time") : ""));
  }
  if (!project.latency().empty()) text += latency_table(project, style);
  return text;
}

std::string projects_text(const v1::StatusResponse& response, const Style& style, int64_t now_unix_ms) {
  std::vector<const v1::ProjectStatus*> there;
  for (const v1::ProjectStatus& project : response.projects()) {
    std::error_code error;
    if (std::filesystem::exists(project.root(), error)) there.push_back(&project);
  }
  std::stable_sort(there.begin(), there.end(), [](const v1::ProjectStatus* a, const v1::ProjectStatus* b) {
    return a->last_verdict_unix_ms() > b->last_verdict_unix_ms();
  });
  std::string text;
  for (size_t i = 0; i < std::min(there.size(), kProjectsMost); ++i) text += line_of(*there[i], style, now_unix_ms);
  if (there.size() > kProjectsMost) text += "  and " + counted(there.size() - kProjectsMost, "older one") + "\n";
  return text + "  (`heddle status` in the folder of a project says more of it)\n";
}

}  // namespace heddle::client
