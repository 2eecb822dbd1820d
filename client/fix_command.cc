#include "client/fix_command.h"
#include "client/check_request.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "client/command_line/interruption.h"
#include "client/command_line/write_text.h"
#include "client/commands.h"
#include "client/fix/line_hunks.h"
#include "client/git/git.h"
#include "client/link/daemon_link.h"
#include "client/one_finding.h"
#include "client/report/numbers.h"
#include "client/report/table.h"
#include "server/daemon/paths.h"
#include "server/disk/read.h"
#include "server/disk/utf8_name.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr double kTrialSeconds = 10, kSearchSeconds = 30;
constexpr size_t kListed = 3;

bool is_below(const std::string& path, const std::string& root) {
  return path.size() > root.size() && path.starts_with(root) && path[root.size()] == '/';
}

std::optional<std::string> text_on_disk(const std::string& name) {
  return disk::read_regular(disk::file_of_name(name), disk::kTextMost);
}

// The text before the edit: of --base, else what git has.
fix::ReadText older_texts(const Options& options, const v1::CheckRequest& request) {
  if (!options.base.empty()) {
    std::error_code error;
    const std::string base = request.base();
    if (!fs::is_directory(base, error)) return [base](const std::string&) { return text_on_disk(base); };
    return [base, root = request.root()](const std::string& path) {
      return is_below(path, root) ? text_on_disk(base + path.substr(root.size())) : std::nullopt;
    };
  }
  auto git = GitTree::at(request.root());
  if (std::holds_alternative<Failure>(git)) return [](const std::string&) { return std::optional<std::string>(); };
  return [git = std::get<GitTree>(std::move(git))](const std::string& path) {
    const std::string& top = git.top();
    return is_below(path, top) ? git.text("HEAD", path.substr(top.size() + 1)) : std::nullopt;
  };
}

struct Checked {
  std::map<std::string, v1::Finding> findings;  // by id; as they are in the files now
  std::vector<std::string> order;
  std::map<std::string, std::set<std::string>> programs;  // in which a finding is, by its id
  std::optional<v1::Verdict> verdict;
};

std::variant<Checked, Failure> check(Backend& backend, const v1::CheckRequest& request) {
  Checked out;
  const auto failure = backend.check(request, [&](const v1::Event& event) {
    if (is_combined_verdict(event)) out.verdict = event.verdict();
    if (!event.has_finding()) return;
    const v1::Finding& finding = event.finding();
    const bool there = finding.state() != v1::FINDING_FIXED && finding.state() != v1::FINDING_NOT_CONFIRMED &&
                       !finding.has_suppressed() && !finding.older();
    if (there && !out.findings.contains(finding.id())) out.order.push_back(finding.id());
    if (there) out.programs[finding.id()].insert(finding.target().empty() ? event.target() : finding.target());
    if (there)
      out.findings[finding.id()] = finding;
    else
      out.findings.erase(finding.id());
  });
  if (failure) return *failure;
  if (!out.verdict) return Failure{"the check ended without a verdict", "see `heddle daemon logs`"};
  std::erase_if(out.order, [&](const std::string& id) { return !out.findings.contains(id); });
  return out;
}

// Those that were asked for: all that no other one leads to, if none was named.
std::variant<std::vector<v1::Finding>, Failure> chosen(const Checked& checked, const std::string& id) {
  std::vector<v1::Finding> out;
  for (const std::string& known : checked.order) {
    const v1::Finding& finding = checked.findings.at(known);
    const bool consequence = std::any_of(finding.follows_from().begin(), finding.follows_from().end(),
                                         [&](const std::string& origin) { return checked.findings.contains(origin); });
    if (id.empty() ? !consequence : known.starts_with(id)) out.push_back(finding);
  }
  if (!id.empty() && out.empty())
    return Failure{"no finding of the files as they are has the id '" + id + "'",
                   "heddle fix --list names those that are open"};
  if (!id.empty() && out.size() > 1) return Failure{"the id '" + id + "' is not unique", "give more of it"};
  if (const auto in = checked.programs.find(out.empty() ? "" : out[0].id()); !id.empty() && in->second.size() > 1)
    return open_in_several(in->first, {in->second.begin(), in->second.end()});
  return out;
}

std::string diff_of(const fix::Candidate& candidate, const std::string& folder) {
  std::string out;
  for (const auto& [path, edits] : candidate.edits) {
    const std::string text = text_on_disk(path).value_or("");
    const std::string name = is_below(path, folder) ? path.substr(folder.size() + 1) : path;
    out += fix::unified_diff(name, text, fix::applied(text, edits));
  }
  return out;
}

std::string current_folder() {
  std::error_code error;
  return fs::current_path(error).string();
}

std::string coloured(const std::string& diff, const Style& style) {
  if (!style.colour) return diff;
  std::string out;
  for (size_t at = 0; at < diff.size();) {
    const size_t end = std::min(diff.find('\n', at), diff.size());
    const std::string line = diff.substr(at, end - at);
    const char* colour = line.starts_with('+') ? "\x1b[32m" : line.starts_with('-') ? "\x1b[31m" : "";
    out += *colour ? colour + line + "\x1b[0m\n" : line + "\n";
    at = end + 1;
  }
  return out;
}

void print_text(std::FILE* out, const v1::Finding& finding, const fix::Found& found, bool list, const Style& style) {
  std::fprintf(out, "%s [%s] %s\n", finding.message().c_str(), finding.rule().c_str(), finding.id().c_str());
  bool proved = false;
  for (const fix::Tried& tried : found.tried) {
    proved = proved || tried.proof.proved;
    if (!tried.proof.proved && !list) continue;
    std::fprintf(out, "\n  %s\n  %s\n", tried.candidate.title.c_str(), tried.proof.words.c_str());
    if (tried.proof.proved)
      std::fprintf(out, "%s", coloured(diff_of(tried.candidate, current_folder()), style).c_str());
    if (!tried.proof.proved && tried.proof.killer && list)
      std::fprintf(out, "%s", render_interleaving(*tried.proof.killer, style, {.indent = 6}).c_str());
  }
  const size_t refused = static_cast<size_t>(
      std::count_if(found.tried.begin(), found.tried.end(), [](const fix::Tried& t) { return !t.proof.proved; }));
  std::string end = proved ? "" : "  no fix was proved";
  if (!list && refused > 0)
    end += (proved ? "  " : "; ") + counted(refused, "candidate was", "candidates were") + " refused: --list shows why";
  if (found.untried > 0)
    end += "; " + counted(found.untried, "candidate was", "candidates were") + " not tried: the time was over";
  if (!end.empty()) std::fprintf(out, "%s\n", end.c_str());
}

void print_json(std::FILE* out, const v1::Finding& finding, const fix::Found& found, const std::string& root) {
  for (const fix::Tried& tried : found.tried) {
    Json line = {{"type", "fix"},
                 {"schemaVersion", 1},
                 {"project", root},
                 {"id", finding.id()},
                 {"rule", finding.rule()},
                 {"title", tried.candidate.title},
                 {"proved", tried.proof.proved},
                 {"proof", tried.proof.words},
                 {"interleavings", tried.proof.interleavings},
                 {"milliseconds", tried.proof.milliseconds},
                 {"diff", tried.proof.proved ? diff_of(tried.candidate, root) : ""},
                 {"killer", tried.proof.killer ? tried.proof.killer->id() : ""}};
    std::fprintf(out, "%s\n", line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  }
  const bool proved = std::any_of(found.tried.begin(), found.tried.end(), [](const auto& t) { return t.proof.proved; });
  const Json line = {{"type", "fixes"},    {"schemaVersion", 1},          {"project", root},
                     {"id", finding.id()}, {"rule", finding.rule()},      {"message", finding.message()},
                     {"proved", proved},   {"tried", found.tried.size()}, {"untried", found.untried}};
  std::fprintf(out, "%s\n", line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
}

// All files or none are looked at before the first is written; each is replaced at once.
std::optional<Failure> write_fix(const fix::Candidate& candidate, const std::map<std::string, std::string>& seen) {
  for (const auto& [path, edits] : candidate.edits) {
    const auto known = seen.find(path);
    if (known == seen.end() || text_on_disk(path) != known->second)
      return Failure{path + " has changed since the check", "nothing was written; run the command again"};
  }
  for (const auto& [path, edits] : candidate.edits)
    if (auto failure = write_text(path, fix::applied(seen.at(path), edits))) return failure;
  return std::nullopt;
}

int failed(const Checked& checked) {
  return fail({checked.verdict->message(), ""}, exit_code(*checked.verdict, OnInconclusive::Fail));
}

struct Run {
  const Options& options;
  const v1::CheckRequest& request;
  Backend& backend;
  std::map<std::string, std::string> seen;     // the texts that the search looked at
  std::map<std::string, std::string> printed;  // proved diffs, and of which finding
};

// The finding whose fix was printed and is the same: two findings may be halves of one defect.
std::optional<std::string> printed_for(Run& run, const v1::Finding& finding, const fix::Found& found) {
  const auto proved = std::ranges::find_if(found.tried, [](const fix::Tried& tried) { return tried.proof.proved; });
  if (proved == found.tried.end()) return std::nullopt;
  const auto [known, fresh] = run.printed.try_emplace(diff_of(proved->candidate, current_folder()), finding.id());
  return fresh ? std::nullopt : std::optional(known->second);
}

int nothing_to_fix() {
  std::fprintf(stderr, "heddle: there is no finding to fix\n");
  return static_cast<int>(ExitCode::Clear);
}

// Exit code of one finding.
ExitCode fix_one(Run& run, const v1::Finding& finding, const std::set<std::string>& open, const Output& output) {
  const Options& options = run.options;
  fix::SearchOptions search;
  search.proved_most = options.list ? kListed : 1;
  search.seconds = options.time_limit_seconds > 0 ? options.time_limit_seconds : kSearchSeconds;
  const auto result = fixes_of(run.backend, options, run.request, finding, open, std::move(search));
  if (const auto* failure = std::get_if<Failure>(&result))
    return static_cast<ExitCode>(fail(*failure, ExitCode::Internal));
  const auto& found = std::get<fix::Found>(result);
  for (const fix::Tried& tried : found.tried)
    for (const auto& [path, edits] : tried.candidate.edits) run.seen.try_emplace(path, text_on_disk(path).value_or(""));
  const auto same = options.format == Format::Text && !options.list ? printed_for(run, finding, found) : std::nullopt;
  if (options.format == Format::Jsonl)
    print_json(output.file(), finding, found, run.request.root());
  else if (same)
    std::fprintf(output.file(), "\n%s [%s] %s\n  the fix of %s mends it, too\n", finding.message().c_str(),
                 finding.rule().c_str(), finding.id().c_str(), same->c_str());
  else
    print_text(output.file(), finding, found, options.list, detect_style(fileno(output.file()), options.colour));
  const auto proved =
      std::find_if(found.tried.begin(), found.tried.end(), [](const fix::Tried& tried) { return tried.proof.proved; });
  if (proved == found.tried.end()) return ExitCode::Findings;
  if (options.apply) {
    if (const auto failure = write_fix(proved->candidate, run.seen))
      return static_cast<ExitCode>(fail(*failure, ExitCode::Usage));
    std::fprintf(stderr, "heddle: written: %s\n", proved->candidate.title.c_str());
  } else if (options.format == Format::Text && !same) {
    std::fprintf(output.file(), "\n  heddle fix %s --apply writes it\n", finding.id().c_str());
  }
  return ExitCode::Clear;
}

}  // namespace

std::variant<fix::Found, Failure> fixes_of(Backend& backend, const Options& options, const v1::CheckRequest& request,
                                           const v1::Finding& finding, const std::set<std::string>& open,
                                           fix::SearchOptions search) {
  fix::Wanted wanted;
  wanted.request = request;
  wanted.finding = finding;
  wanted.open = open;
  wanted.seconds = kTrialSeconds;
  wanted.read = [root = request.root()](const std::string& path) {
    return is_below(path, root) ? text_on_disk(path) : std::nullopt;
  };
  search.older = older_texts(options, request);
  return fix::find_fixes(backend, wanted, search);
}

int run_fix(const Options& options, const Output& output) {
  v1::CheckRequest request;
  if (const auto failure = make_request(options, request)) return fail(*failure, ExitCode::Usage);
  request.set_time_limit_seconds(0);
  Interruption interruption(nullptr);
  auto connected = options.no_daemon ? connect_engine() : connect_daemon();
  if (const auto* failure = std::get_if<Failure>(&connected)) return fail(*failure, ExitCode::Internal);
  Backend& backend = *std::get<0>(connected);
  interruption.on_interrupt([&] { backend.interrupt(); });
  std::string id = options.id;
  if (id.empty() && is_about_lone_files(request)) {
    const auto only = only_open(backend, request);
    if (const auto* failure = std::get_if<Failure>(&only)) return fail(*failure, ExitCode::Usage);
    id = std::get<std::string>(only);
    if (id.empty()) return nothing_to_fix();
  }
  if (const auto failure = name_program(backend, id, request)) return fail(*failure, ExitCode::Usage);
  const auto result = check(backend, request);
  if (interruption.happened()) return static_cast<int>(ExitCode::Interrupted);
  if (const auto* failure = std::get_if<Failure>(&result)) return fail(*failure, ExitCode::Internal);
  const auto& checked = std::get<Checked>(result);
  if (checked.verdict->kind() == v1::VERDICT_ERROR) return failed(checked);
  const auto wanted = chosen(checked, id);
  if (const auto* failure = std::get_if<Failure>(&wanted)) return fail(*failure, ExitCode::Usage);
  const auto& findings = std::get<std::vector<v1::Finding>>(wanted);
  if (findings.empty()) return nothing_to_fix();
  if (options.apply && findings.size() > 1)
    return fail({"--apply writes the fix of one finding, and " + counted(findings.size(), "is", "are") + " open",
                 "name one: heddle fix ID --apply"},
                ExitCode::Usage);
  std::set<std::string> open;
  for (const auto& [id, finding] : checked.findings) open.insert(id);
  Run run{options, request, backend, {}, {}};
  ExitCode code = ExitCode::Clear;
  for (const v1::Finding& finding : findings) {
    code = std::max(code, fix_one(run, finding, open, output));
    if (interruption.happened()) return static_cast<int>(ExitCode::Interrupted);
  }
  interruption.on_interrupt(nullptr);
  return static_cast<int>(code);
}

}  // namespace heddle::client
