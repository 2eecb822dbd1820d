#include "client/suppress.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "client/daemon_link.h"
#include "client/hook.h"
#include "client/numbers.h"
#include "client/output.h"
#include "client/suppression_text.h"

namespace heddle::client {
namespace {

struct Known {
  v1::CheckRequest request;
  std::unique_ptr<Backend> backend;
};

// Empty: it cannot be read.
std::optional<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

std::optional<Failure> write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return Failure{"cannot write " + path, "look at its permissions"};
  return std::nullopt;
}

std::variant<Known, Failure> reach(const Options& options) {
  Known known;
  if (auto failure = make_request(options, known.request)) return *failure;
  auto connected = options.no_daemon ? connect_engine() : connect_daemon();
  if (const auto* failure = std::get_if<Failure>(&connected)) return *failure;
  known.backend = std::move(std::get<0>(connected));
  return known;
}

std::variant<v1::Finding, Failure> finding_of(Known& known, const std::string& id) {
  v1::ShowRequest show;
  show.set_root(known.request.root());
  show.set_id(id);
  *show.mutable_project() = known.request;
  const auto answer = known.backend->show(show);
  if (const auto* failure = std::get_if<Failure>(&answer)) return *failure;
  const auto& response = std::get<v1::ShowResponse>(answer);
  if (!response.error().empty()) return Failure{response.error(), "heddle show lists the open findings"};
  return response.findings(0);
}

// What is staged comes first: its check keeps no findings, so they are searched again (mostly looked up), and git knows
// where their lines are now. The last check of the disk is of the files as they were then.
std::variant<v1::Finding, Failure> finding_to_suppress(const Options& options, Known& known) {
  const auto staged = staged_finding(options, *known.backend);
  const auto* finding = std::get_if<v1::Finding>(&staged);
  if (finding && finding->places_size() > 0 && finding->places(0).line() > 0) return *finding;
  auto checked = finding_of(known, options.id);
  return finding && std::holds_alternative<Failure>(checked) ? staged : std::move(checked);
}

// A check that nothing changed for is answered from the ledger.
struct Checked {
  std::map<std::string, v1::Finding> findings;  // by id
  std::optional<v1::Verdict> verdict;
};

std::variant<Checked, Failure> check(Known& known) {
  Checked out;
  const auto failure = known.backend->check(known.request, [&](const v1::Event& event) {
    if (event.has_finding()) out.findings[event.finding().id()] = event.finding();
    if (is_combined_verdict(event)) out.verdict = event.verdict();
  });
  if (failure) return *failure;
  if (!out.verdict) return Failure{"the check ended without a verdict", "see `heddle daemon logs`"};
  if (out.verdict->kind() == v1::VERDICT_ERROR) return Failure{out.verdict->message(), ""};
  return out;
}

std::string place_text(const v1::Place& place) { return place.file() + ":" + std::to_string(place.line()); }

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
  const auto text = read_text(file);
  const auto edit = text ? remove_suppression(*text, file.ends_with(".yaml"), line) : std::nullopt;
  if (!edit) {
    return fail(
        {"the suppression is not at " + file + ":" + std::to_string(line) + " any more", "check again, then try again"},
        ExitCode::Usage);
  }
  if (const auto failure = write_text(file, applied(*text, *edit))) return fail(*failure, ExitCode::Internal);
  std::printf("%s:%u: taken away\n", file.c_str(), line);
  return 0;
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
  if (const auto* failure = std::get_if<Failure>(&found)) return fail(*failure, ExitCode::Usage);
  const v1::Finding& finding = std::get<v1::Finding>(found);
  if (finding.places().empty())
    return fail({"finding " + finding.id() + " has no place", "use --in-settings"}, ExitCode::Usage);
  wanted.rule = finding.rule();
  const std::string path = options.in_settings ? known.request.root() + "/.heddle.yaml" : finding.places(0).file();
  const std::string text = read_text(path).value_or("");
  TextEdit edit;
  if (options.in_settings) {
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
  std::printf("%s: the %s %s is suppressed; undo: heddle suppress remove %s\n", path.c_str(), finding.rule().c_str(),
              finding.id().c_str(), finding.id().c_str());
  return 0;
}

int run_suppress_remove(const Options& options) {
  auto reached = reach(options);
  if (const auto* failure = std::get_if<Failure>(&reached)) return fail(*failure, ExitCode::Usage);
  Known& known = std::get<Known>(reached);
  const auto checked = check(known);  // so that the lines are those of the files as they are
  if (const auto* failure = std::get_if<Failure>(&checked)) return fail(*failure, ExitCode::Internal);
  for (const auto& [id, finding] : std::get<Checked>(checked).findings) {
    if (!id.starts_with(options.id)) continue;
    if (!finding.has_suppressed()) return fail({"finding " + id + " is not suppressed", ""}, ExitCode::Usage);
    return remove_at(finding.suppressed().file(), finding.suppressed().line());
  }
  return fail({"no open finding has the id '" + options.id + "'", "heddle suppress list"}, ExitCode::Usage);
}

int run_suppress_list(const Options& options) {
  auto reached = reach(options);
  if (const auto* failure = std::get_if<Failure>(&reached)) return fail(*failure, ExitCode::Usage);
  const auto checked = check(std::get<Known>(reached));
  if (const auto* failure = std::get_if<Failure>(&checked)) return fail(*failure, ExitCode::Internal);
  const Checked& known = std::get<Checked>(checked);
  size_t count = 0;
  for (const auto& [id, finding] : known.findings) {
    if (!finding.has_suppressed()) continue;
    const v1::Suppression& by = finding.suppressed();
    ++count;
    std::printf("%s %s at %s: %s%s%s\n    %s:%u\n", id.c_str(), finding.rule().c_str(),
                finding.places_size() > 0 ? place_text(finding.places(0)).c_str() : "?", by.reason().c_str(),
                by.owner().empty() ? "" : (", owner " + by.owner()).c_str(),
                by.until().empty() ? "" : (", until " + by.until()).c_str(), by.file().c_str(), by.line());
  }
  for (const std::string& warning : known.verdict->warnings()) std::printf("%s\n", warning.c_str());
  std::printf("%s\n", (counted(count, "finding") + " suppressed, " +
                       counted(static_cast<uint64_t>(known.verdict->warnings_size()), "suppression") + " without use")
                          .c_str());
  return 0;
}

int run_suppress_expire(const Options& options) {
  auto reached = reach(options);
  if (const auto* failure = std::get_if<Failure>(&reached)) return fail(*failure, ExitCode::Usage);
  const auto checked = check(std::get<Known>(reached));
  if (const auto* failure = std::get_if<Failure>(&checked)) return fail(*failure, ExitCode::Internal);
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
