#include "server/engine/settings/baseline.h"

#include <algorithm>
#include <filesystem>

namespace heddle::engine {

namespace {

constexpr uint64_t kBaselineMost = uint64_t{16} << 20;

text::BaselineEntry entry_for(const v1::Finding& finding, const std::string& root) {
  std::vector<text::BaselinePlace> places;
  for (const v1::Place& place : finding.places()) places.push_back({place.file(), place.function()});
  return text::baseline_entry(finding.id(), finding.rule(), finding.message(), places, root);
}

// The same error, in a function that has another name now.
bool is_renamed(const text::BaselineEntry& old, const text::BaselineEntry& found,
                const std::set<std::string>& functions) {
  if (old.rule != found.rule || old.files != found.files || old.subject != found.subject) return false;
  const std::vector<std::string> before = text::names_of(old.functions), now = text::names_of(found.functions);
  if (before.size() != now.size()) return false;
  size_t gone = 0;
  for (const std::string& name : before) {
    if (!functions.contains(name))
      ++gone;
    else if (std::find(now.begin(), now.end(), name) == now.end())
      return false;
  }
  return gone > 0;
}

}  // namespace

std::variant<Baseline, SettingsError> Baseline::read(const std::string& root, const FileReader& read) {
  Baseline out;
  out.root_ = root;
  out.path_ = (std::filesystem::path(root) / text::kBaselineFile).string();
  std::string problem;
  const std::optional<std::string> text = read(out.path_, kBaselineMost, problem);
  std::error_code ignored;
  if (!text && std::filesystem::exists(out.path_, ignored))
    return SettingsError{out.path_, 0, 0, problem, "correct it, or remove it: heddle baseline clear"};
  if (!text) return out;
  auto entries = text::read_baseline(*text);
  if (const auto* wrong = std::get_if<text::BaselineProblem>(&entries))
    return SettingsError{out.path_, static_cast<uint32_t>(wrong->line), 1, wrong->words,
                         "take it from git again, or write it anew: heddle baseline clear, then set"};
  out.entries_ = std::move(std::get<0>(entries));
  return out;
}

const text::BaselineEntry* Baseline::entry_of(const v1::Finding& finding,
                                              const std::set<std::string>& functions) const {
  for (const text::BaselineEntry& entry : entries_)
    if (entry.id == finding.id()) return &entry;
  const text::BaselineEntry found = entry_for(finding, root_);
  const auto renamed = std::find_if(entries_.begin(), entries_.end(), [&](const text::BaselineEntry& entry) {
    return is_renamed(entry, found, functions);
  });
  return renamed == entries_.end() ? nullptr : &*renamed;
}

void Baseline::apply(v1::Finding& finding, const std::set<std::string>& functions) const {
  if (entries_.empty()) return;
  const text::BaselineEntry* entry = entry_of(finding, functions);
  if (entry == nullptr) return;
  v1::Suppression& by = *finding.mutable_suppressed();
  by.set_rule(finding.rule());
  by.set_reason("in the baseline");
  by.set_file(path_);
  by.set_line(static_cast<uint32_t>(entry->line));
  by.set_baseline(true);
}

}  // namespace heddle::engine
