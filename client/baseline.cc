#include "client/baseline.h"
#include "client/check_request.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "client/command_line/output.h"
#include "client/command_line/write_text.h"
#include "client/report/harmless_text.h"
#include "client/report/numbers.h"
#include "client/whole_check.h"
#include "server/disk/read.h"
#include "server/disk/utf8_name.h"
#include "server/text/baseline.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;

using text::BaselineEntry;

std::string path_in(const std::string& root) { return root + "/" + text::kBaselineFile; }

BaselineEntry entry_of(const v1::Finding& finding, const std::string& root) {
  std::vector<text::BaselinePlace> places;
  for (const v1::Place& place : finding.places()) places.push_back({place.file(), place.function()});
  return text::baseline_entry(finding.id(), finding.rule(), finding.message(), places, root);
}

std::string words(const BaselineEntry& entry) {
  std::string text = entry.id + " " + entry.subject + " [" + entry.rule + "] in " + entry.functions;
  if (entry.functions.empty()) text.resize(text.size() - 4);
  return harmless(text + (entry.files.empty() ? "" : ", " + entry.files));
}

// No entries: there is no baseline.
std::variant<std::vector<BaselineEntry>, Failure> read_entries(const std::string& path) {
  std::error_code error;
  if (!fs::exists(disk::file_of_name(path), error)) return std::vector<BaselineEntry>();
  std::string problem;
  const auto bytes = disk::read_regular(disk::file_of_name(path), disk::kTextMost, &problem);
  if (!bytes) return Failure{path + " " + problem, "correct it, or remove it: heddle baseline clear"};
  auto entries = text::read_baseline(*bytes);
  if (const auto* wrong = std::get_if<text::BaselineProblem>(&entries))
    return Failure{path + ":" + std::to_string(wrong->line) + ": " + wrong->words, "heddle baseline clear removes it"};
  return std::move(std::get<0>(entries));
}

bool is_in(const BaselineEntry& entry, const v1::CheckRequest& request, const std::string& root) {
  const std::vector<std::string> files = text::names_of(entry.files);
  return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    return std::find(request.files().begin(), request.files().end(), root + "/" + file) != request.files().end();
  });
}

struct Whole {
  v1::CheckRequest request;
  Checked checked;
  std::string path;                    // of the baseline
  std::vector<BaselineEntry> entries;  // that it has now
};

std::variant<Whole, Stop> look(const Options& options) {
  auto reached = reach(options);
  if (const auto* failure = std::get_if<Failure>(&reached)) return Stop{*failure};
  const Known& known = std::get<Known>(reached);
  auto checked = check(*known.backend, known.request);
  if (const auto* stop = std::get_if<Stop>(&checked)) return *stop;
  Whole out{known.request, std::move(std::get<Checked>(checked)), "", {}};
  if (out.checked.root.empty()) out.checked.root = known.request.root();
  out.path = path_in(out.checked.root);
  auto entries = read_entries(out.path);
  if (const auto* failure = std::get_if<Failure>(&entries)) return Stop{*failure};
  out.entries = std::move(std::get<0>(entries));
  return out;
}

constexpr const char* kGone[] = {": not seen", ": not there any more"};  // [every interleaving was looked at]

// The present finding that the entry describes.
const v1::Finding* found_for(const BaselineEntry& entry, const Checked& checked) {
  for (const auto* findings : {&checked.findings, &checked.not_confirmed})
    for (const auto& [id, finding] : *findings)
      if (finding.suppressed().baseline() && finding.suppressed().line() == entry.line) return &finding;
  return nullptr;
}

}  // namespace

int run_baseline_set(const Options& options) {
  const auto looked = look(options);
  if (const auto* stop = std::get_if<Stop>(&looked)) return fail(stop->failure, stop->code);
  const Whole& whole = std::get<Whole>(looked);
  std::vector<BaselineEntry> entries;
  size_t fresh = 0;
  for (const auto& [id, finding] : whole.checked.findings) {
    if (finding.has_suppressed() && !finding.suppressed().baseline()) continue;
    entries.push_back(entry_of(finding, whole.checked.root));
    if (finding.suppressed().baseline()) continue;
    ++fresh;
    std::printf("%s\n", words(entries.back()).c_str());
  }
  for (const auto& [id, finding] : whole.checked.not_confirmed)  // it may be there still
    if (finding.suppressed().baseline()) entries.push_back(entry_of(finding, whole.checked.root));
  if (whole.request.files_size() > 0)  // what was not checked stays as it is
    for (const BaselineEntry& entry : whole.entries)
      if (!is_in(entry, whole.request, whole.checked.root)) entries.push_back(entry);
  const size_t count = entries.size();
  if (const auto failure = write_text(whole.path, text::print_baseline(std::move(entries))))
    return fail(*failure, ExitCode::Internal);
  std::printf("%s: %s, %zu of them new to it; commit it with the project\n", text::kBaselineFile,
              counted(count, "known finding").c_str(), fresh);
  if (whole.checked.verdict->kind() == v1::VERDICT_INCONCLUSIVE)
    std::printf("the check was inconclusive: findings that it did not come to are not in it\n");
  return 0;
}

int run_baseline_show(const Options& options) {
  const auto looked = look(options);
  if (const auto* stop = std::get_if<Stop>(&looked)) return fail(stop->failure, stop->code);
  const Whole& whole = std::get<Whole>(looked);
  size_t gone = 0, shown = 0;
  const bool whole_search = whole.checked.verdict->kind() != v1::VERDICT_INCONCLUSIVE;
  for (const BaselineEntry& entry : whole.entries) {
    if (whole.request.files_size() > 0 && !is_in(entry, whole.request, whole.checked.root)) continue;
    ++shown;
    const v1::Finding* finding = found_for(entry, whole.checked);
    gone += finding == nullptr;
    std::string place;
    if (finding != nullptr && finding->places_size() > 0) place = ":" + std::to_string(finding->places(0).line());
    const char* const state = finding == nullptr                              ? kGone[whole_search]
                              : finding->state() == v1::FINDING_NOT_CONFIRMED ? ": not confirmed"
                                                                              : "";
    std::printf("%s%s%s\n", words(entry).c_str(), place.c_str(), state);
  }
  if (shown == 0) {
    std::printf("no known findings; `heddle baseline set` takes those that are there now\n");
    return 0;
  }
  std::printf("%s%s\n", counted(shown, "known finding").c_str(),
              gone == 0       ? ""
              : !whole_search ? (", " + counted(gone, "of them was", "of them were") +
                                 " not seen: the check was inconclusive, so that they may be there")
                                    .c_str()
                              : (", " + counted(gone, "of them is", "of them are") +
                                 " not there any more: `heddle baseline set` takes what is gone out")
                                    .c_str());
  return 0;
}

// Also one that cannot be read: nothing is checked for it.
int run_baseline_clear(const Options& options) {
  v1::CheckRequest request;
  if (const auto failure = make_request(options, request)) return fail(*failure, ExitCode::Usage);
  const std::string path = disk::file_of_name(path_in(request.root()));
  std::error_code error;
  const bool removed = fs::remove(path, error);
  if (error) return fail({path + ": " + error.message(), "nothing was changed"}, ExitCode::Internal);
  std::printf(removed ? "%s was removed: its findings count again\n" : "there is no %s\n", text::kBaselineFile);
  return 0;
}

}  // namespace heddle::client
