#include "client/git/hook.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <thread>

#include "client/command_line/interruption.h"
#include "client/command_line/output.h"
#include "client/git/debt.h"
#include "client/git/hook_files.h"
#include "client/git/hook_fix.h"
#include "client/git/revision_check.h"
#include "client/link/daemon_link.h"
#include "client/report/numbers.h"
#include "client/report/verdict_text.h"
#include "server/base/clock.h"
#include "server/base/mutex.h"
#include "server/daemon/paths.h"
#include "server/text/numbers.h"
#include "server/verdict/merge.h"

namespace heddle::client {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr double kDefaultBudget = 10, kSettleSeconds = 2;
constexpr double kFixSeconds = 3;    // for the search of a fix, out of the budget that is left
constexpr milliseconds kPause{250};  // after another client's check took over

void say(const std::string& text) { std::fprintf(stderr, "heddle: %s\n", text.c_str()); }

// Interrupts the backend when the time is up.
class Budget {
 public:
  Budget(Backend& backend, double seconds) : end_(Clock::now() + milliseconds(static_cast<int64_t>(seconds * 1000))) {
    if (seconds <= 0) return;
    thread_ = std::thread([this, &backend] {
      {
        const base::MutexLock lock(mutex_);
        while (!done_ && Clock::now() < end_) wake_.wait_until(mutex_, end_);
        if (done_) return;
        used_up_ = true;
      }
      backend.interrupt();
    });
  }
  ~Budget() {
    {
      const base::MutexLock lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
  }
  bool used_up() {
    const base::MutexLock lock(mutex_);
    return used_up_;
  }
  double left() const { return std::chrono::duration<double>(end_ - Clock::now()).count(); }

 private:
  const Clock::time_point end_;
  base::Mutex mutex_;
  base::Condition wake_;
  bool done_ HEDDLE_GUARDED_BY(mutex_) = false, used_up_ HEDDLE_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

v1::Verdict verdict_of(v1::VerdictKind kind, v1::ErrorClass error, const std::string& message) {
  v1::Verdict verdict;
  verdict.set_kind(kind);
  verdict.set_error(error);
  verdict.set_message(message);
  verdict.set_step("final");
  verdict.mutable_scope()->set_summary(message);
  verdict.mutable_stats()->mutable_ms()->set_first_finding(-1);
  return verdict;
}

// Findings are reported at the end of a request: only then it is known which of them the base has, too.
class NewFindings {
 public:
  void keep(const v1::Event& event) { events_[{event.target(), event.finding().id()}] = event; }
  void report_all(Report& report) {
    for (const auto& [key, event] : events_)
      if (!event.finding().older()) report.event(event);
    report.flush();
    events_.clear();
  }
  void forget() { events_.clear(); }
  std::optional<v1::Finding> first() const {
    for (const auto& [key, event] : events_)
      if (!event.finding().older() && event.finding().follows_from_size() == 0) {
        v1::Finding finding = event.finding();
        finding.set_target(event.target());
        return finding;
      }
    return std::nullopt;
  }

 private:
  std::map<std::pair<std::string, std::string>, v1::Event> events_;
};

// Runs the requests one after the other within the budget; events but the combined verdicts go to the report.
v1::Verdict run_requests(const std::vector<v1::CheckRequest>& requests, Backend& backend, double seconds,
                         Report& report, std::optional<ReportedFinding>* reported = nullptr) {
  Budget budget(backend, seconds);
  std::optional<v1::Verdict> total;
  NewFindings findings;
  for (v1::CheckRequest request : requests) {
    std::optional<v1::Verdict> verdict;
    for (;;) {
      verdict.reset();
      findings.forget();
      request.set_client("hook " + std::to_string(getpid()));
      if (seconds > 0) request.set_time_limit_seconds(std::max(0.1, budget.left()));
      const auto failure = backend.check(request, [&](const v1::Event& event) {
        if (is_combined_verdict(event))
          verdict = event.verdict();
        else if (event.has_finding())
          findings.keep(event);
        else
          report.event(event);
      });
      if (failure) {
        verdict = verdict_of(v1::VERDICT_ERROR, v1::ERROR_INTERNAL, failure->message + "; " + failure->remedy);
      }
      const bool taken_over = verdict && verdict->error() == v1::ERROR_CANCELLED && !budget.used_up();
      if (!taken_over || (seconds > 0 && budget.left() < 1)) break;
      std::this_thread::sleep_for(kPause);
    }
    if (const auto first = findings.first(); first && reported && !*reported) *reported = {*first, request};
    findings.report_all(report);
    if (budget.used_up() || !verdict) {
      verdict =
          verdict_of(v1::VERDICT_INCONCLUSIVE, v1::ERROR_NONE,
                     "the budget of " + duration_text(seconds * 1000) + " was used up before there was a verdict");
    }
    if (total)
      verdict::merge(*total, *verdict);
    else
      total = std::move(verdict);
    if (budget.used_up()) break;
  }
  return *total;
}

struct Prepared {
  std::optional<GitTree> git;
  RevisionRequest wanted;
  RevisionChecks checks;
};

std::string short_name(const std::string& revision) { return revision.substr(0, 10); }

std::variant<Prepared, Failure> prepare(const Options& options, bool disk_suppressions = true) {
  std::array<char, 4096> here{};
  if (!getcwd(here.data(), here.size())) return Failure{"the current folder is gone", "go to another one"};
  auto found = GitTree::at(here.data());
  if (const auto* failure = std::get_if<Failure>(&found)) return *failure;
  Prepared out;
  out.git = std::get<GitTree>(std::move(found));
  if (!options.database_directory.empty()) {
    out.wanted.database_directory = daemon::absolute_path(options.database_directory, here.data());
  }
  std::string base = options.since.empty() ? "HEAD" : options.since;
  if (!options.range.empty()) {
    const size_t dots = options.range.find("..");
    if (dots == std::string::npos || options.range.find("...") != std::string::npos)
      return Failure{"--range " + options.range + " is no range", "write it as A..B: two commits, branches or tags"};
    const std::string end = options.range.substr(dots + 2);
    base = dots == 0 ? "HEAD" : options.range.substr(0, dots);
    out.wanted.tree = out.git->revision(end.empty() ? "HEAD" : end).value_or("");
    if (out.wanted.tree.empty())
      return Failure{"--range " + options.range + ": there is no revision " + end, "name a commit, branch or tag"};
  }
  const auto revision = out.git->revision(base);
  if (!revision && !options.staged)
    return Failure{(options.range.empty() ? "--since " + base : "--range " + options.range) +
                       ": there is no such revision" + (options.range.empty() ? "" : " as " + base),
                   "name a commit, branch or tag"};
  out.wanted.base = revision.value_or("");
  out.wanted.base_name = revision ? base + " " + short_name(*revision) : "nothing: the first commit";
  if (options.staged) {
    if (out.git->has_conflicts()) return Failure{"the index holds unmerged files", "resolve the conflicts first"};
    auto tree = out.git->write_tree();
    if (const auto* failure = std::get_if<Failure>(&tree)) return *failure;
    out.wanted.tree = std::get<std::string>(std::move(tree));
    out.wanted.disk_suppressions = disk_suppressions;
  }
  auto checks = make_revision_checks(*out.git, out.wanted);
  if (const auto* failure = std::get_if<Failure>(&checks)) return *failure;
  out.checks = std::get<RevisionChecks>(std::move(checks));
  for (v1::CheckRequest& request : out.checks.requests) {
    request.set_plain_accesses(options.plain_accesses);
    if (!options.target.empty()) request.set_target(options.target);
  }
  return out;
}

// A commit does not take them.
void say_suppressed_on_disk(const Prepared& prepared) {
  for (const std::string& file : prepared.checks.suppressed_on_disk)
    say(file + ": suppressions that are not staged count here; git add " + file + " keeps them");
}

void report_verdict(Report& report, const v1::Verdict& verdict) {
  v1::Event event;
  *event.mutable_verdict() = verdict;
  report.event(event);
}

v1::Verdict nothing_to_check(const Prepared& prepared, const Options& options) {
  const std::string when = options.range.empty() ? " changed since " + options.since : " changed in " + options.range;
  std::string text =
      options.staged ? "no C or C++ file is staged that belongs to a program" : "no C or C++ file of a program" + when;
  if (prepared.checks.files_changed == 0)
    text = options.staged ? "no C or C++ file is staged" : "no C or C++ file" + when;
  return verdict_of(v1::VERDICT_CLEAR, v1::ERROR_NONE, text);
}

// What git gets, and what the user reads.
int hook_outcome(const Prepared& prepared, const v1::Verdict& verdict, const Options& options, double seconds,
                 double budget) {
  const std::string used = duration_text(seconds * 1000) + " of " + duration_text(budget * 1000);
  if (verdict.kind() == v1::VERDICT_CLEAR) {
    const std::string& summary = verdict.scope().summary();
    const bool ignored = summary.starts_with("nothing to check") && summary.find(" | ") == summary.npos;
    const std::string end = "; budget used: " + used;
    v1::Verdict short_of_time = verdict;  // `end` has it
    short_of_time.mutable_stats()->mutable_ms()->set_total(0);
    const auto room = static_cast<unsigned>(kVerdictColumns - std::string_view("heddle: ").size() - end.size());
    const bool in_words = ignored || verdict.scope().compared_with().empty();  // nothing was checked
    say((in_words ? (ignored ? "" : "nothing found within scope: ") + summary
                  : verdict_line(short_of_time, "", Style{}, room)) +
        end);
    return 0;
  }
  if (verdict.kind() == v1::VERDICT_FINDINGS) {
    say("COMMIT STOPPED: " + counted(verdict.findings() - verdict.consequences() - verdict.grouped(), "new finding") +
        "; budget used: " + used);
    say("mend it, suppress it with a reason (heddle suppress add), or git commit --no-verify");
    return static_cast<int>(ExitCode::Findings);
  }
  const std::string why = verdict.message().empty() ? verdict.scope().summary() : verdict.message();
  if (options.on_inconclusive == OnInconclusive::Fail) {
    say("COMMIT STOPPED, not checked to the end: " + why + "; budget used: " + used);
    return static_cast<int>(ExitCode::Inconclusive);
  }
  say("COMMIT NOT CHECKED TO THE END, let pass: " + why + "; budget used: " + used);
  const Debt debt{prepared.wanted.tree, prepared.wanted.base, why, prepared.git->top(), base::unix_ms(), "owed"};
  if (const auto failure = record_debt(*prepared.git, debt))
    say(failure->message + "; " + failure->remedy);
  else
    say("it is recorded as owed and the daemon continues it: heddle hook status");
  return 0;
}

void settle(const GitTree& git, const std::string& fresh) {
  if (read_debts(git).empty()) return;
  auto connected = connect_daemon();
  if (std::holds_alternative<Failure>(connected)) return;
  std::vector<std::string> words;
  Backend& backend = *std::get<0>(connected);
  const Budget budget(backend, kSettleSeconds);
  const std::vector<Debt> left = settle_debts(git, backend, fresh, words);
  for (const std::string& text : words) say(text);
  size_t found = 0;
  for (const Debt& debt : left) found += debt.outcome == "findings";
  if (found > 0) say(counted(found, "earlier commit") + " let pass unjudged HAS FINDINGS: heddle hook status");
  if (left.size() > found) say(counted(left.size() - found, "commit") + " still owed");
}

std::variant<GitTree, Failure> here() {
  std::array<char, 4096> folder{};
  if (!getcwd(folder.data(), folder.size())) return Failure{"the current folder is gone", "go to another one"};
  return GitTree::at(folder.data());
}

}  // namespace

int run_revision_check(const Options& options, const Output& output) {
  Progress progress(detect_style(STDERR_FILENO, options.colour), is_terminal(STDERR_FILENO) && !options.quiet);
  const auto prepared = prepare(options);
  const std::string root = std::holds_alternative<Prepared>(prepared) ? std::get<Prepared>(prepared).git->top() : "";
  const std::unique_ptr<Report> report = make_report(options, root, output, progress);
  if (const auto* failure = std::get_if<Failure>(&prepared)) {
    report_failure(options, *report, *failure, v1::ERROR_USAGE);
    return fail(*failure, ExitCode::Usage);
  }
  const Prepared& ready = std::get<Prepared>(prepared);
  say_suppressed_on_disk(ready);
  v1::Verdict verdict = nothing_to_check(ready, options);
  if (!ready.checks.requests.empty()) {
    Interruption interruption(nullptr);
    auto connected = options.no_daemon ? connect_engine() : connect_daemon();
    if (const auto* failure = std::get_if<Failure>(&connected)) {
      report_failure(options, *report, *failure, v1::ERROR_INTERNAL);
      return fail(*failure, ExitCode::Internal);
    }
    Backend& backend = *std::get<0>(connected);
    interruption.on_interrupt([&] { backend.interrupt(); });
    verdict = run_requests(ready.checks.requests, backend, options.budget, *report);
    interruption.on_interrupt(nullptr);
    progress.erase();
    if (interruption.happened()) return static_cast<int>(ExitCode::Interrupted);
  }
  report_verdict(*report, verdict);
  return static_cast<int>(exit_code(verdict, options.on_inconclusive));
}

std::variant<StagedFinding, Failure> staged_finding(const Options& given, Backend& backend) {
  Options options = given;
  options.staged = true;
  auto prepared = prepare(options, false);
  if (const auto* failure = std::get_if<Failure>(&prepared)) return *failure;
  const Prepared& ready = std::get<Prepared>(prepared);
  std::map<std::string, StagedFinding> found;
  for (v1::CheckRequest request : ready.checks.requests) {
    request.set_client("hook " + std::to_string(getpid()));
    request.set_time_limit_seconds(kDefaultBudget);
    const auto failure = backend.check(request, [&](const v1::Event& event) {
      if (!event.has_finding() || !event.finding().id().starts_with(options.id)) return;
      StagedFinding& staged = found[event.finding().id()];
      staged.finding = event.finding();
      staged.finding.set_target(event.target());
      staged.request = request;
    });
    if (failure) return *failure;
  }
  if (found.empty()) return Failure{"no finding of what is staged has the id '" + options.id + "'", ""};
  if (found.size() > 1) return Failure{"the id '" + options.id + "' is not unique", "give more of it"};
  StagedFinding staged = found.begin()->second;
  const std::string top = ready.git->top() + "/";
  for (v1::Place place : staged.finding.places()) {
    if (place.file().starts_with(top))
      place.set_line(
          ready.git->lines(ready.wanted.tree, place.file().substr(top.size())).new_of(place.line()).value_or(0));
    staged.places.push_back(std::move(place));
  }
  return staged;
}

int run_hook_check(const Options& given) {
  Options options = given;
  options.staged = true;
  auto prepared = prepare(options);
  if (const auto* failure = std::get_if<Failure>(&prepared)) {
    say("COMMIT NOT CHECKED: " + failure->message + "; " + failure->remedy);
    return 0;
  }
  const Prepared& ready = std::get<Prepared>(prepared);
  if (options.budget <= 0) {
    const auto text = ready.git->setting("heddle.budget");
    options.budget = text ? text::seconds_from(*text).value_or(0) : kDefaultBudget;
    if (options.budget <= 0) {
      say("git config heddle.budget is '" + *text + "': give " + text::kTimesRead + "; " +
          text::seconds_text(kDefaultBudget) + " are used");
      options.budget = kDefaultBudget;
    }
  }
  if (!given.on_inconclusive_given) {
    const bool stops = ready.git->setting("heddle.onInconclusive").value_or("pass") == "fail";
    options.on_inconclusive = stops ? OnInconclusive::Fail : OnInconclusive::Pass;
  }
  for (const std::string& file : ready.checks.left_out)
    say(file + ": NOT CHECKED, it belongs to no program (is there a compile_commands.json?)");
  if (!ready.checks.requests.empty()) say_suppressed_on_disk(ready);
  if (ready.checks.requests.empty()) {
    settle(*ready.git, ready.wanted.tree);
    return 0;
  }
  const char* skip = std::getenv("HEDDLE_SKIP");
  if (skip && *skip && std::string(skip) != "0") {
    return hook_outcome(ready, verdict_of(v1::VERDICT_INCONCLUSIVE, v1::ERROR_NONE, "skipped, HEDDLE_SKIP is set"),
                        options, 0, options.budget);
  }
  const auto start = Clock::now();
  Progress progress(Style{}, false);
  options.quiet = true;
  const Output output(Options{});
  const std::unique_ptr<Report> report = make_report(options, ready.git->top(), output, progress);
  v1::Verdict verdict;
  std::optional<ReportedFinding> reported;
  auto connected = connect_daemon();
  if (const auto* failure = std::get_if<Failure>(&connected)) {
    verdict = verdict_of(v1::VERDICT_ERROR, v1::ERROR_INTERNAL, failure->message + "; " + failure->remedy);
  } else {
    verdict = run_requests(ready.checks.requests, *std::get<0>(connected), options.budget, *report, &reported);
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const int code = hook_outcome(ready, verdict, options, seconds, options.budget);
  const double left = std::min(options.budget - seconds, kFixSeconds);
  if (reported && left > 0 && code == static_cast<int>(ExitCode::Findings) &&
      has_proved_fix(*std::get<0>(connected), *reported, left))
    say("heddle fix " + reported->finding.id() + " shows a proved fix");
  settle(*ready.git, ready.wanted.tree);
  return code;
}

int run_hook_install(const Options&) {
  const auto git = here();
  if (const auto* failure = std::get_if<Failure>(&git)) return fail(*failure, ExitCode::Usage);
  const std::string folder = std::get<GitTree>(git).hooks_folder();
  const auto done = install_hooks(folder, daemon::binary_directory() + "/heddle");
  if (const auto* failure = std::get_if<Failure>(&done)) return fail(*failure, ExitCode::Usage);
  for (const std::string& text : std::get<0>(done)) std::printf("%s\n", text.c_str());
  std::printf(
      "budget: git config heddle.budget TIME (10s unless set); inconclusive: git config heddle.onInconclusive "
      "pass|fail\n");
  return 0;
}

int run_hook_uninstall(const Options&) {
  const auto git = here();
  if (const auto* failure = std::get_if<Failure>(&git)) return fail(*failure, ExitCode::Usage);
  const auto done = uninstall_hooks(std::get<GitTree>(git).hooks_folder());
  if (const auto* failure = std::get_if<Failure>(&done)) return fail(*failure, ExitCode::Usage);
  if (std::get<0>(done).empty()) std::printf("no hook of heddle is installed\n");
  for (const std::string& text : std::get<0>(done)) std::printf("%s\n", text.c_str());
  return 0;
}

int run_hook_status(const Options&) {
  const auto found = here();
  if (const auto* failure = std::get_if<Failure>(&found)) return fail(*failure, ExitCode::Usage);
  const GitTree& git = std::get<GitTree>(found);
  for (const HookFile& file : hook_files(git.hooks_folder())) {
    const char* state = file.state == HookState::Absent  ? "not installed"
                        : file.state == HookState::Ours  ? "installed"
                        : file.state == HookState::Other ? "another hook, heddle is not called"
                                                         : "installed, and changed by hand";
    std::printf("%s: %s%s\n", file.name.c_str(), state,
                file.state == HookState::Ours && file.chains ? ", after the one that was there" : "");
  }
  if (read_debts(git).empty()) {
    std::printf("no commit is owed\n");
    return 0;
  }
  auto connected = connect_daemon();
  if (const auto* failure = std::get_if<Failure>(&connected)) return fail(*failure, ExitCode::Internal);
  std::vector<std::string> words;
  const std::vector<Debt> left = settle_debts(git, *std::get<0>(connected), "", words);
  for (const std::string& text : words) std::printf("%s\n", text.c_str());
  for (const Debt& debt : left) {
    std::printf("tree %s, %s: %s (%s)\n", debt.tree.substr(0, 12).c_str(),
                age_text(debt.unix_ms, base::unix_ms()).c_str(),
                debt.outcome == "findings" ? "HAS FINDINGS, see heddle show" : "owed, the daemon works on it",
                debt.reason.c_str());
  }
  if (left.empty()) std::printf("no commit is owed\n");
  return 0;
}

}  // namespace heddle::client
