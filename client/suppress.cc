#include "client/suppress.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "client/command_line/output.h"
#include "client/command_line/write_text.h"
#include "client/git/hook.h"
#include "client/report/finding_order.h"
#include "client/report/numbers.h"
#include "client/report/suppression_text.h"
#include "client/whole_check.h"
#include "server/disk/project_place.h"
#include "server/disk/read.h"
#include "server/disk/utf8_name.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;

bool in_settings(const Options& options) { return options.in_settings || !options.scope.empty(); }

// A finding, where it is in the files as they are, and a check that reports it.
struct Found {
  v1::Finding finding;
  v1::CheckRequest request;
};

std::variant<v1::Finding, Stop> finding_of(Known& known, const std::string& id) {
  v1::ShowRequest show;
  show.set_root(known.request.root());
  show.set_id(id);
  *show.mutable_project() = known.request;
  const auto answer = known.backend->show(show);
  if (const auto* failure = std::get_if<Failure>(&answer)) return Stop{*failure, ExitCode::Internal};
  const auto& response = std::get<v1::ShowResponse>(answer);
  if (!response.error().empty()) return Stop{{response.error(), "heddle show lists the open findings"}};
  return response.findings(0);
}

bool is_lone(const Known& known) {
  return disk::find_project_place({}, known.request.database_directory(), known.request.root(), false).lone_file;
}

// Files without a database: those that the daemon knows a program of, since none were named. If it knows none, the
// request's target says which they are: the ledger has the files of its last check.
std::vector<v1::CheckRequest> programs(Known& known) {
  if (!is_lone(known) || known.request.files_size() > 0) return {known.request};
  v1::StatusRequest status;
  status.set_root(known.request.root());
  *status.mutable_project() = known.request;
  const auto answer = known.backend->status(status);
  std::vector<v1::CheckRequest> out;
  if (const auto* response = std::get_if<v1::StatusResponse>(&answer))
    for (const v1::ProjectStatus& project : response->projects()) {
      if (project.root() != known.request.root() || project.files().empty()) continue;
      out.push_back(known.request);
      *out.back().mutable_files() = project.files();
    }
  if (out.empty()) out.push_back(known.request);
  return out;
}

// The last check of the disk is of the files as they were then, so they are checked again (mostly looked up).
std::variant<Found, Stop> checked_finding(Known& known, const std::string& id) {
  const auto shown = finding_of(known, id);
  if (const auto* stop = std::get_if<Stop>(&shown)) return *stop;
  const v1::Finding& wanted = std::get<v1::Finding>(shown);
  std::optional<Stop> stopped;
  for (v1::CheckRequest& request : programs(known)) {
    request.set_target(wanted.target());
    auto checked = check(*known.backend, request);
    if (auto* stop = std::get_if<Stop>(&checked)) {  // these may be the files of another program
      stopped = std::move(*stop);
      continue;
    }
    auto& findings = std::get<Checked>(checked).findings;
    if (!is_lone(known) || request.files_size() > 0) request.clear_target();
    if (const auto found = findings.find(wanted.id()); found != findings.end())
      return Found{std::move(found->second), std::move(request)};
  }
  if (stopped) return *std::move(stopped);
  return Stop{
      {"the finding " + wanted.id() + " is not in the files as they are now", "heddle show lists the open ones"}};
}

// What is staged comes first: git knows where its lines are now.
std::variant<Found, Stop> finding_to_suppress(const Options& options, Known& known) {
  auto staged = staged_finding(options, *known.backend);
  auto* found = std::get_if<StagedFinding>(&staged);
  if (found) found->finding.mutable_places()->Assign(found->places.begin(), found->places.end());
  const bool placed = found && !found->places.empty() && found->places[0].line() > 0;
  if (!placed) {
    auto checked = checked_finding(known, options.id);
    if (std::holds_alternative<Found>(checked)) return checked;
    if (!found && !in_settings(options)) return checked;
    if (!found) {  // the settings name no line: what was reported last is enough
      auto shown = finding_of(known, options.id);
      if (const auto* stop = std::get_if<Stop>(&shown)) return *stop;
      return Found{std::get<v1::Finding>(std::move(shown)), known.request};
    }
  }
  v1::CheckRequest request = known.request;
  if (request.files().empty()) *request.mutable_files() = found->request.files();
  return Found{std::move(found->finding), std::move(request)};
}

std::string shell_word(const std::string& text) {
  static constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// To be run where we run.
std::string undo_command(const Options& options, const Found& found) {
  std::vector<std::string> words = {"heddle", "suppress", "remove", found.finding.id()};
  if (!options.database_directory.empty()) words.insert(words.end(), {"-p", options.database_directory});
  std::error_code error;
  const auto here = std::filesystem::current_path(error);
  const auto place =
      disk::find_project_place({found.request.files().begin(), found.request.files().end()},
                               found.request.database_directory(), here.string(), !options.flags.empty());
  if (place.lone_file)
    for (const std::string& file : found.request.files())
      words.push_back(std::filesystem::path(file).lexically_proximate(here).string());
  if (!options.flags.empty()) words.push_back("--");
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + shell_word(word);
  return out;
}

// As a user of this folder names it.
std::string shown_path(const std::string& file) {
  std::error_code error;
  const fs::path near = fs::path(disk::file_of_name(file)).lexically_proximate(fs::current_path(error));
  const std::string name = disk::utf8_name(near.string());
  return name.size() < file.size() ? name : file;
}

std::string place_text(const v1::Place& place) { return shown_path(place.file()) + ":" + std::to_string(place.line()); }

// "FILE:LINE: words"
struct Warning {
  std::string file, words;
  uint32_t line = 0;
};
std::optional<Warning> parse(const std::string& text) {
  const size_t words = text.find(": ");
  const size_t colon = words == text.npos ? text.npos : text.rfind(':', words - 1);
  if (colon == text.npos) return std::nullopt;
  return Warning{text.substr(0, colon), text.substr(words + 2),
                 static_cast<uint32_t>(std::strtoul(text.c_str() + colon + 1, nullptr, 10))};
}

int remove_at(const std::string& file, uint32_t line) {
  std::string problem;
  const auto text = disk::read_regular(disk::file_of_name(file), disk::kTextMost, &problem);
  if (!text) return fail({file + " " + problem, "nothing was changed"}, ExitCode::Usage);
  const auto edit = remove_suppression(*text, file.ends_with(".yaml"), line);
  if (!edit) {
    return fail(
        {"the suppression is not at " + file + ":" + std::to_string(line) + " any more", "check again, then try again"},
        ExitCode::Usage);
  }
  if (const auto failure = write_text(file, applied(*text, *edit))) return fail(*failure, ExitCode::Internal);
  std::printf("%s:%u: taken away\n", shown_path(file).c_str(), line);
  return 0;
}

// Writes what suppresses the finding, and says how to undo it.
int suppress(const Options& options, const std::string& root, const Found& found, SuppressionText wanted) {
  const v1::Finding& finding = found.finding;
  if (finding.places().empty())
    return fail({"finding " + finding.id() + " has no place", "use --in-settings"}, ExitCode::Usage);
  wanted.rule = finding.rule();
  if (const std::string problem = widen(wanted, finding, options.scope.empty() ? "finding" : options.scope);
      !problem.empty())
    return fail({problem, "--scope finding"}, ExitCode::Usage);
  const std::string path = in_settings(options) ? root + "/.heddle.yaml" : finding.places(0).file();
  std::string problem;
  std::error_code missing;
  const bool fresh = in_settings(options) && !fs::exists(fs::symlink_status(path, missing));
  const std::optional<std::string> old_text =
      fresh ? std::string() : disk::read_regular(disk::file_of_name(path), disk::kTextMost, &problem);
  if (!old_text) return fail({path + " " + problem, "nothing was changed"}, ExitCode::Usage);
  const std::string& text = *old_text;
  TextEdit edit;
  if (in_settings(options)) {
    edit = add_to_settings(text, finding.id(), wanted);
  } else {
    if (finding.places(0).line() == 0)
      return fail({"what is staged of " + path + " is not so on the disk any more", "use --in-settings"},
                  ExitCode::Usage);
    size_t offset = 0;
    for (uint32_t line = 1; line < finding.places(0).line() && offset != text.npos; ++line) {
      offset = text.find('\n', offset);
      if (offset != text.npos) ++offset;
    }
    if (offset == text.npos || text.empty())
      return fail({place_text(finding.places(0)) + " is not there any more", "check again first"}, ExitCode::Usage);
    edit = add_comment(text, offset, wanted);
  }
  if (const auto failure = write_text(path, applied(text, edit))) return fail(*failure, ExitCode::Internal);
  std::printf("%s: the %s %s is suppressed; undo: %s\n", shown_path(path).c_str(), finding.rule().c_str(),
              finding.id().c_str(), undo_command(options, found).c_str());
  return 0;
}

// Ids of the other races of the defect that the finding stands for: one decision covers them.
std::vector<std::string> races_below(const Known& known, const Found& found) {
  std::vector<std::string> out;
  const auto checked = check(*known.backend, found.request);
  const auto* reported = std::get_if<Checked>(&checked);
  if (!reported) return out;
  for (const auto& [id, finding] : reported->findings)
    if (id != found.finding.id() && defect_of(finding) == found.finding.id() && finding.follows_from().empty() &&
        counts(finding))
      out.push_back(id);
  return out;
}

}  // namespace

int run_suppress_add(const Options& options) {
  SuppressionText wanted{"", options.reason, options.owner, options.until};
  if (const std::string problem = problem_of(wanted); !problem.empty())
    return fail({problem, "--reason WHY [--owner NAME] [--until YYYY-MM-DD]"}, ExitCode::Usage);
  auto reached = reach(options);
  if (const auto* failure = std::get_if<Failure>(&reached)) return fail(*failure, ExitCode::Usage);
  Known& known = std::get<Known>(reached);
  const auto found = finding_to_suppress(options, known);
  if (const auto* stop = std::get_if<Stop>(&found)) return fail(stop->failure, stop->code);
  const std::vector<std::string> others = races_below(known, std::get<Found>(found));
  int code = suppress(options, known.request.root(), std::get<Found>(found), wanted);
  for (size_t n = 0; code == 0 && n < others.size(); ++n) {
    const auto other = checked_finding(known, others[n]);  // the lines have moved
    if (const auto* stop = std::get_if<Stop>(&other)) return fail(stop->failure, stop->code);
    const v1::Finding& finding = std::get<Found>(other).finding;
    if (!finding.has_suppressed())
      code = suppress(options, known.request.root(), std::get<Found>(other), wanted);
    else
      std::printf("%s: the %s %s is suppressed by the same line\n", shown_path(finding.suppressed().file()).c_str(),
                  finding.rule().c_str(), finding.id().c_str());
  }
  return code;
}

int run_suppress_remove(const Options& options) {
  auto reached = reach(options);
  if (const auto* failure = std::get_if<Failure>(&reached)) return fail(*failure, ExitCode::Usage);
  Known& known = std::get<Known>(reached);
  const auto checked = check(*known.backend, known.request);  // so that the lines are those of the files as they are
  if (const auto* stop = std::get_if<Stop>(&checked)) return fail(stop->failure, stop->code);
  for (const auto& [id, finding] : std::get<Checked>(checked).findings) {
    if (!id.starts_with(options.id)) continue;
    if (!finding.has_suppressed()) return fail({"finding " + id + " is not suppressed", ""}, ExitCode::Usage);
    if (finding.suppressed().baseline())
      return fail({"finding " + id + " is in the baseline", "heddle baseline set, once it is mended"}, ExitCode::Usage);
    return remove_at(finding.suppressed().file(), finding.suppressed().line());
  }
  return fail({"no open finding has the id '" + options.id + "'", "heddle suppress list"}, ExitCode::Usage);
}

int run_suppress_list(const Options& options) {
  auto reached = reach(options);
  if (const auto* failure = std::get_if<Failure>(&reached)) return fail(*failure, ExitCode::Usage);
  const Known& known = std::get<Known>(reached);
  const auto checked = check(*known.backend, known.request);
  if (const auto* stop = std::get_if<Stop>(&checked)) return fail(stop->failure, stop->code);
  const Checked& reported = std::get<Checked>(checked);
  size_t count = 0;
  for (const auto& [id, finding] : reported.findings) {
    if (!finding.has_suppressed() || finding.suppressed().baseline()) continue;
    const v1::Suppression& by = finding.suppressed();
    ++count;
    std::printf("%s %s at %s: %s%s%s\n    %s:%u\n", id.c_str(), finding.rule().c_str(),
                finding.places_size() > 0 ? place_text(finding.places(0)).c_str() : "?", by.reason().c_str(),
                by.owner().empty() ? "" : (", owner " + by.owner()).c_str(),
                by.until().empty() ? "" : (", until " + by.until()).c_str(), shown_path(by.file()).c_str(), by.line());
  }
  uint64_t unused = 0;  // other settings that nothing uses are warnings of a check, too
  for (const std::string& text : reported.verdict->warnings()) {
    const auto warning = parse(text);
    if (!warning || !warning->words.starts_with("this suppression ")) continue;
    std::printf("%s\n", text.c_str());
    ++unused;
  }
  const std::string end = reported.verdict->kind() == v1::VERDICT_INCONCLUSIVE
                              ? "; the check was inconclusive: others may be without use"
                              : "";
  std::printf(
      "%s\n",
      (counted(count, "finding") + " suppressed, " + counted(unused, "suppression") + " without use" + end).c_str());
  return 0;
}

int run_suppress_expire(const Options& options) {
  auto reached = reach(options);
  if (const auto* failure = std::get_if<Failure>(&reached)) return fail(*failure, ExitCode::Usage);
  const Known& known = std::get<Known>(reached);
  const auto checked = check(*known.backend, known.request);
  if (const auto* stop = std::get_if<Stop>(&checked)) return fail(stop->failure, stop->code);
  std::vector<Warning> expired;
  for (const std::string& text : std::get<Checked>(checked).verdict->warnings()) {
    const auto warning = parse(text);
    if (warning && warning->words.find("it expired on") != std::string::npos) expired.push_back(*warning);
  }
  // From below, so that the lines above stay where they are.
  std::sort(expired.begin(), expired.end(), [](const Warning& a, const Warning& b) { return a.line > b.line; });
  for (const Warning& warning : expired) {
    if (const int code = remove_at(warning.file, warning.line); code != 0) return code;
  }
  if (expired.empty()) std::printf("no suppression has expired\n");
  return 0;
}

}  // namespace heddle::client
