#include "client/report/status_text.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "client/report/numbers.h"

namespace heddle::client {
namespace {

constexpr size_t kProjectsMost = 20;

std::string answer_of(const v1::ProjectStatus& project, const Style& style) {
  if (!project.responsive()) return style.paint(Ink::Yellow, "does not answer");
  if (project.phase() != "idle") return project.phase();
  if (project.last_verdict().empty()) return "not checked yet";
  return project.last_verdict();
}

std::string line_of(const v1::ProjectStatus& project, const Style& style, int64_t now_unix_ms) {
  std::string name = style.path(project.files_size() > 0 ? project.files(0) : project.root());
  if (project.files_size() > 1)
    name += " and " + counted(static_cast<uint64_t>(project.files_size() - 1), "other file");
  std::string text = "  " + style.paint(Ink::Bold, name) + ": " + answer_of(project, style);
  if (project.open_findings() > 0) text += ", " + counted(project.open_findings(), "open finding");
  if (project.pairs_owed() > 0) text += ", " + counted(project.pairs_owed(), "pair") + " owed";
  if (project.last_verdict_unix_ms() > 0) text += ", " + age_text(project.last_verdict_unix_ms(), now_unix_ms);
  if (project.engine_memory_bytes() > 0) text += ", engine " + bytes_text(project.engine_memory_bytes());
  return text + (project.watched() ? ", watched" : "") + "\n";
}

}  // namespace

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
