#include "client/commands.h"
#include "client/check_request.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "client/answer_order.h"
#include "client/baseline.h"
#include "client/command_line/command_table.h"
#include "client/command_line/completion.h"
#include "client/command_line/interruption.h"
#include "client/command_line/output.h"
#include "client/command_line/write_text.h"
#include "client/config/config.h"
#include "client/doctor/doctor.h"
#include "client/fix_command.h"
#include "client/git/hook.h"
#include "client/link/backend.h"
#include "client/link/daemon_link.h"
#include "client/mcp/server.h"
#include "client/native_test.h"
#include "client/nightly/nightly.h"
#include "client/one_finding.h"
#include "client/report/report.h"
#include "client/schedule_text.h"
#include "client/shared_store.h"
#include "client/slurm_nightly.h"
#include "client/smaller/held_verdict.h"
#include "client/suppress.h"
#include "client/upkeep.h"
#include "server/daemon/paths.h"
#include "server/disk/project_place.h"
#include "server/disk/read.h"
#include "server/disk/utf8_name.h"
#include "server/text/numbers.h"

namespace heddle::client {
namespace {

std::optional<std::string> read_regular_text(const std::string& name) {
  return disk::read_regular(disk::file_of_name(name), disk::kTextMost);
}

std::variant<std::unique_ptr<Backend>, Failure> connect(const Options& options) {
  return options.no_daemon ? connect_engine() : connect_daemon();
}

// A finding that no check of the disk reported, but that of what is staged: it keeps none, and is asked again.
std::optional<StagedFinding> only_staged(const Options& options, const std::variant<v1::ShowResponse, Failure>& shown,
                                         Backend& backend) {
  const auto* response = std::get_if<v1::ShowResponse>(&shown);
  if (options.id.empty() || !response || response->findings_size() > 0 || response->error().empty())
    return std::nullopt;
  auto staged = staged_finding(options, backend);
  if (std::holds_alternative<Failure>(staged)) return std::nullopt;
  std::fprintf(stderr, "heddle: the finding is of what is staged, not of a check of the disk\n");
  return std::get<StagedFinding>(std::move(staged));
}

// What is to be run again: a finding that is known, one of what is staged, or a schedule that came from elsewhere.
std::variant<v1::ReplayRequest, Failure> replay_request(const Options& options, const v1::CheckRequest& request,
                                                        Backend& backend) {
  v1::ReplayRequest replay;
  replay.set_root(request.root());
  replay.set_id(options.id);
  *replay.mutable_project() = request;
  if (!options.schedule.empty()) {
    const auto read = read_schedule_text(options.schedule, request.root());
    if (!read) return Failure{"--schedule is no schedule of Heddle", "heddle show ID --schedule prints one"};
    for (const std::string& file : read->differ)
      std::fprintf(stderr, "heddle: %s is not the text that the schedule is of\n", file.c_str());
    replay.set_id(read->finding.id());
    *replay.mutable_finding() = read->finding;
    return replay;
  }
  if (auto staged = only_staged(options, backend.show(question_about(options.id, request)), backend)) {
    *replay.mutable_project() = std::move(staged->request);
    *replay.mutable_finding() = std::move(staged->finding);
  } else if (auto failure = name_program(backend, options.id, *replay.mutable_project())) {
    return *std::move(failure);
  }
  return replay;
}

int run_stream(const Options& options, const Output& output) {
  const bool progress_wanted = is_terminal(STDERR_FILENO) && !options.quiet;
  Progress progress(detect_style(STDERR_FILENO, options.colour), progress_wanted);
  v1::CheckRequest request;
  const auto failure_of_request = make_request(options, request);
  const std::unique_ptr<Report> report = make_report(options, request.root(), output, progress);
  if (const auto& failure = failure_of_request) {
    report_failure(options, *report, *failure, v1::ERROR_USAGE);
    return fail(*failure, ExitCode::Usage);
  }
  Interruption interruption(progress_wanted ? std::function<void()>([&] { progress.tick(); }) : nullptr);
  auto connected = connect(options);
  if (const auto* failure = std::get_if<Failure>(&connected)) {
    report_failure(options, *report, *failure, v1::ERROR_INTERNAL);
    return fail(*failure, ExitCode::Internal);
  }
  Backend& backend = *std::get<0>(connected);
  interruption.on_interrupt([&] { backend.interrupt(); });
  v1::Drivers drivers;
  const bool asks = options.command == Command::Check || options.command == Command::Full;
  const bool shows = !options.quiet && (options.format == Format::Text || options.format == Format::Jsonl);
  smaller::HeldVerdict verdict_of_large(asks && shows, request);
  const EventHandler handler = [&](const v1::Event& event) {
    if (event.has_started()) progress.restart();
    if (event.has_drivers()) drivers = event.drivers();
    if (!verdict_of_large.holds(event)) report->event(event);
  };
  std::optional<Failure> failure;
  if (options.command == Command::Replay) {
    auto replay = replay_request(options, request, backend);
    if (const auto* problem = std::get_if<Failure>(&replay)) {
      report_failure(options, *report, *problem, v1::ERROR_USAGE);
      return fail(*problem, ExitCode::Usage);
    }
    failure = backend.replay(std::get<v1::ReplayRequest>(replay), handler);
  } else if (options.command == Command::Watch) {
    failure = backend.watch(request, handler);
  } else {
    failure = backend.check(request, handler);
  }
  if (!failure) verdict_of_large.try_smaller(backend, read_regular_text, [&] { return interruption.happened(); });
  for (const v1::Event& event : verdict_of_large.events()) report->event(event);
  interruption.on_interrupt(nullptr);
  progress.erase();
  if (interruption.happened()) {
    report->flush();
    if (options.format == Format::Text && options.command != Command::Watch)
      std::fprintf(stderr, "heddle: interrupted\n");
    return static_cast<int>(ExitCode::Interrupted);
  }
  if (!failure && !report->verdict())
    failure = Failure{"the check ended without a verdict", "see `heddle daemon logs`"};
  if (failure) {
    report_failure(options, *report, *failure, v1::ERROR_INTERNAL);
    return fail(*failure, ExitCode::Internal);
  }
  if (!options.write_file.empty() && !drivers.text().empty())
    if (const auto problem = write_text(options.write_file, drivers.text())) return fail(*problem, ExitCode::Usage);
  return static_cast<int>(exit_code(*report->verdict(), options.on_inconclusive));
}

// `nightly`, and `check --verify-incremental`, which is the same for the edit at hand.
int run_nightly_command(const Options& options, const Output& output) {
  const bool verifies = options.command == Command::Check;
  const bool progress_wanted = is_terminal(STDERR_FILENO) && !options.quiet;
  NightlyRequest nightly;
  if (const auto failure = make_request(options, nightly.project)) return fail(*failure, ExitCode::Usage);
  nightly.project.set_time_limit_seconds(0);
  nightly.budget_seconds = options.time_limit_seconds;
  nightly.folder = verifies ? verification_folder(nightly.project) : nightly_folder(nightly.project);
  Interruption interruption(nullptr);
  nightly.connect = [&] { return options.slurm ? connect_engine() : connect(options); };
  nightly.interrupted = [&] { return interruption.happened(); };
  nightly.running = [&](Backend* backend) {
    interruption.on_interrupt(backend ? std::function<void()>([backend] { backend->interrupt(); }) : nullptr);
  };
  nightly.say = [&](const std::string& text) {
    if (progress_wanted) std::fprintf(stderr, "heddle: %s\n", text.c_str());
  };
  nightly.warn = [&](const std::string& text) { std::fprintf(stderr, "heddle: %s\n", text.c_str()); };
  if (options.slurm) use_slurm(options, nightly);
  const auto result = run_nightly(nightly);
  if (const auto* stop = std::get_if<NightlyStop>(&result))
    return fail(stop->failure, interruption.happened() ? ExitCode::Interrupted : stop->code);
  const NightlyRun& run = std::get<NightlyRun>(result);
  const std::string& root = nightly.project.root();
  if (verifies) {
    const bool json = options.format == Format::Jsonl;
    std::fputs((json ? verification_json(run) : verification_text(run, root)).c_str(), output.file());
    return static_cast<int>(verification_exit_code(run, options.on_inconclusive));
  }
  const std::string text = options.format == Format::Html    ? nightly_html(nightly_history(nightly.folder), root)
                           : options.format == Format::Jsonl ? nightly_json(run)
                                                             : nightly_text(run, root);
  std::fputs(text.c_str(), output.file());
  return static_cast<int>(nightly_exit_code(run, options.on_inconclusive));
}

// "FILE[:LINE]": where there is no database the file says which project is meant.
void add_file_of(const std::string& place, v1::CheckRequest& request) {
  const std::string file = daemon::absolute_path(place.substr(0, place.find(':')), current_directory());
  if (!place.empty() && is_there(file)) request.add_files(disk::utf8_name(file));
}

// "FILE[:LINE]" of a file that is nowhere, neither here nor below the project's root, and of which no fragment is.
std::optional<Failure> absent(const std::string& place, const std::string& root, const v1::PairsResponse& response) {
  const std::string file = place.substr(0, place.find(':')), name = disk::utf8_name(file);
  if (file.empty() || is_there(file) || is_there(root + "/" + file)) return std::nullopt;
  for (const v1::TargetPairs& target : response.targets())
    for (const v1::Fragment& fragment : target.diffed().fragments())
      if (fragment.file() == name || fragment.file().ends_with("/" + name)) return std::nullopt;
  return Failure{name + ": No such file or directory", "name a file, or FILE:LINE"};
}

// Show, pairs, why, status: one question, one answer.
class Answers {
 public:
  Answers(const Options& options, Report& report) : options_(options), report_(report) {}

  // With jsonl, the output has the error as a verdict. Other formats leave a report in a file as it was.
  int refuse(const Failure& failure, ExitCode code) {
    if (options_.format == Format::Jsonl)
      report_failure(options_, report_, failure,
                     code == ExitCode::Usage   ? v1::ERROR_USAGE
                     : code == ExitCode::Build ? v1::ERROR_BUILD
                                               : v1::ERROR_INTERNAL);
    return fail(failure, code);
  }

  template <typename Response>
  int give(const std::variant<Response, Failure>& result, const std::function<void(const Response&)>& print) {
    if (const auto* failure = std::get_if<Failure>(&result)) return refuse(*failure, ExitCode::Internal);
    const Response& response = std::get<Response>(result);
    if constexpr (requires { response.error(); }) {
      if (!response.error().empty()) return refuse({response.error(), ""}, ExitCode::Usage);
    }
    print(response);
    return 0;
  }

 private:
  const Options& options_;
  Report& report_;
};

// Pairs of what does not compile now: there are none, or those of the version before. Nothing: it compiles.
std::optional<int> say_what_does_not_compile(const v1::PairsResponse& response, Answers& answers, Report& report) {
  if (response.diagnostics().empty()) return std::nullopt;
  for (const v1::Diagnostic& diagnostic : response.diagnostics()) {
    v1::Event event;
    *event.mutable_diagnostic() = diagnostic;
    report.event(event);
  }
  if (!response.error().empty()) return answers.refuse({response.error(), ""}, ExitCode::Build);
  std::fprintf(stderr, "heddle: that does not compile now: the pairs are those of the version that did\n");
  return std::nullopt;
}

int answer_pairs(const Options& options, v1::CheckRequest request, Backend& backend, Answers& answers, Report& report) {
  v1::PairsRequest pairs;
  if (options.command == Command::Why && request.files().empty()) add_file_of(options.place, request);
  pairs.set_root(request.root());
  pairs.set_target(options.target);
  *pairs.mutable_project() = request;
  const auto answered = backend.pairs(pairs);
  if (const auto* response = std::get_if<v1::PairsResponse>(&answered)) {
    if (const auto failure = absent(options.place, request.root(), *response))
      return answers.refuse(*failure, ExitCode::Usage);
    if (const auto code = say_what_does_not_compile(*response, answers, report)) return *code;
  }
  return answers.give<v1::PairsResponse>(
      answered, [&](const auto& response) { report.pairs(response, disk::utf8_name(options.place)); });
}

int say_no_daemon(const Options& options, Report& report) {
  if (options.format == Format::Jsonl) {
    report.status({});
  } else {
    std::puts("no daemon is running: nothing is being checked; `heddle check` starts one");
  }
  return 0;
}

void say_older_daemon() {
  const auto running = running_daemon();
  const auto* const facts = std::get_if<std::optional<DaemonFacts>>(&running);
  if (facts != nullptr && *facts && (*facts)->is_older)
    std::fprintf(stderr, "heddle: that daemon is of an older build than this program: the next check replaces it\n");
}

// A finding as a program of its own, with notes about what it does not force.
int print_test(const v1::Finding& finding, const Output& output) {
  const auto made = native_test(
      finding, [](const std::string& path) { return disk::read_regular(disk::file_of_name(path), disk::kTextMost); });
  if (const auto* failure = std::get_if<Failure>(&made)) return fail(*failure, ExitCode::Usage);
  const NativeTest& test = std::get<NativeTest>(made);
  for (const std::string& note : test.notes) std::fprintf(stderr, "heddle: %s\n", note.c_str());
  std::fputs(test.text.c_str(), output.file());
  return 0;
}

int run_question(const Options& options, const Output& output) {
  Progress progress(Style{}, false);
  v1::CheckRequest request;
  const auto failure_of_request = make_request(options, request);
  const std::unique_ptr<Report> report = make_report(options, request.root(), output, progress);
  Answers answers(options, *report);
  if (failure_of_request) return answers.refuse(*failure_of_request, ExitCode::Usage);
  // A question about a daemon's status is for the one that runs: none is started or replaced.
  auto connected =
      options.command == Command::Status && !options.no_daemon ? connect_running_daemon() : connect(options);
  if (const auto* failure = std::get_if<Failure>(&connected)) return answers.refuse(*failure, ExitCode::Internal);
  if (!std::get<0>(connected)) return say_no_daemon(options, *report);
  Backend& backend = *std::get<0>(connected);
  if (options.command == Command::Show) {
    auto shown = backend.show(question_about(options.id, request));
    if (auto staged = only_staged(options, shown, backend)) {
      v1::ShowResponse response;
      *response.add_findings() = std::move(staged->finding);
      shown = std::move(response);
    }
    if (auto* response = std::get_if<v1::ShowResponse>(&shown); response != nullptr && options.id.empty())
      keep_those_of_files(request, *response);
    if (options.as_test || !options.before.empty()) {
      const auto one = one_shown(shown);
      if (const auto* failure = std::get_if<Failure>(&one)) return answers.refuse(*failure, ExitCode::Usage);
      const v1::Finding& finding = std::get<v1::Finding>(one);
      if (options.as_test) return print_test(finding, output);
      return answer_order({options, backend, request, finding, output.file()});
    }
    if (!options.as_schedule)
      return answers.give<v1::ShowResponse>(shown, [&](const auto& response) { report->findings(response); });
    return answers.give<v1::ShowResponse>(shown, [&](const auto& response) {
      for (const v1::Finding& finding : response.findings())
        std::fprintf(output.file(), "%s\n", schedule_text(finding, request.root()).c_str());
    });
  }
  if (options.command == Command::Status) {
    v1::StatusRequest status;
    // Inside a project: this one. Elsewhere: all that the daemon knows.
    const bool inside =
        !disk::find_project_place({}, request.database_directory(), current_directory(), false).lone_file;
    if (inside || options.no_daemon) {
      status.set_root(request.root());
      *status.mutable_project() = request;
    }
    if (!options.no_daemon) say_older_daemon();
    return answers.give<v1::StatusResponse>(backend.status(status),
                                            [&](const auto& response) { report->status(response); });
  }
  return answer_pairs(options, request, backend, answers, *report);
}

int print_daemon(const DaemonFacts& facts, bool was_running) {
  std::printf("%s: process %lld, %s\n", was_running ? "the daemon is running" : "the daemon was started",
              static_cast<long long>(facts.pid), facts.socket.c_str());
  return 0;
}

int run_daemon_start() {
  const auto started = start_daemon();
  if (const auto* failure = std::get_if<Failure>(&started)) return fail(*failure, ExitCode::Internal);
  const auto& facts = std::get<DaemonFacts>(started);
  return print_daemon(facts, !facts.started_now);
}

int run_daemon_stop(bool say_none) {
  const auto stopped = stop_daemon();
  if (const auto* failure = std::get_if<Failure>(&stopped)) return fail(*failure, ExitCode::Internal);
  if (std::get<bool>(stopped))
    std::printf("the daemon was stopped\n");
  else if (say_none)
    std::printf("no daemon is running\n");
  return 0;
}

int run_daemon_logs(const Options& options) {
  const auto found = daemon::runtime_paths();
  if (const auto* error = std::get_if<daemon::Error>(&found))
    return fail({error->message, error->remedy}, ExitCode::Internal);
  const std::string& path = std::get<daemon::RuntimePaths>(found).log;
  const auto lines = last_lines(path, options.log_lines);
  std::fprintf(stderr, lines ? "heddle: %s\n" : "heddle: there is no log yet (%s)\n", path.c_str());
  if (!lines) return 0;
  for (const std::string& line : *lines) std::printf("%s\n", line.c_str());
  return 0;
}

int run_doctor_command(const Options& options, const Output& output) {
  DoctorQuestion question;
  if (const auto failure = make_request(options, question.request)) return fail(*failure, ExitCode::Usage);
  question.folder = current_directory();
  question.single_files =
      disk::find_project_place({}, question.request.database_directory(), question.folder, false).lone_file;
  question.fix = options.fix;
  question.json = options.format == Format::Jsonl;
  question.style = detect_style(fileno(output.file()), options.colour);
  return static_cast<int>(run_doctor(question, output.file()) ? ExitCode::Clear : ExitCode::Usage);
}

int run_config(const Options& options, const Output& output) {
  std::optional<Failure> failure;
  v1::CheckRequest request;
  if (!options.schema.empty()) {
    failure = print_schema(options.schema, output.file());
  } else if (failure = make_request(options, request); !failure) {
    const Style style = detect_style(fileno(output.file()), options.colour);
    failure = print_settings(request.root(), options.format == Format::Jsonl, style, output.file());
  }
  return failure ? fail(*failure, ExitCode::Usage) : 0;
}

int print_table(const Options& options) {
  Options unused;
  const auto table = make_command_table(unused);
  const std::string text = options.command == Command::ManualPage ? manual_page(*table)
                           : options.shell == "bash"              ? bash_completion(*table)
                           : options.shell == "zsh"               ? zsh_completion(*table)
                                                                  : fish_completion(*table);
  std::fputs(text.c_str(), stdout);
  return 0;
}

// A program of its own, next to this one: see client/lsp.
int run_language_server() {
  const std::string path = daemon::binary_directory() + "/heddle-lsp";
  const char* arguments[] = {path.c_str(), nullptr};
  execv(path.c_str(), const_cast<char**>(arguments));
  return fail({"cannot start " + path + ": " + std::strerror(errno), "build or install it next to heddle"},
              ExitCode::Internal);
}

// "heddle fix queue.c", "heddle replay --schedule WORD queue.c": the first word is a file, no id.
Options with_file_for_id(Options options) {
  const bool may_be_file =
      options.command == Command::Fix || (options.command == Command::Replay && !options.schedule.empty());
  if (may_be_file && !options.id.empty() && is_there(options.id))
    options.files.insert(options.files.begin(), std::exchange(options.id, ""));
  return options;
}

}  // namespace

int run_command(const Options& given) {
  const Options options = with_file_for_id(given);
  if (const auto problem = file_for_id(options)) return fail(*problem, ExitCode::Usage);
  const auto with = [&](int (*run)(const Options&, const Output&)) {
    return with_output(options, [&](const Output& output) { return run(options, output); });
  };
  if (options.command == Command::Check && (options.staged || !options.since.empty() || !options.range.empty()))
    return with(run_revision_check);
  if (options.verify_incremental) return with(run_nightly_command);
  switch (options.command) {
    case Command::Check:
    case Command::Full:
    case Command::Weaken:
    case Command::Harness:
    case Command::Watch:
    case Command::Replay: return with(run_stream);
    case Command::Fix: return with(run_fix);
    case Command::Nightly: return with(run_nightly_command);
    case Command::Show:
    case Command::Pairs:
    case Command::Why:
    case Command::Status: return with(run_question);
    case Command::DaemonStart: return run_daemon_start();
    case Command::HookInstall: return run_hook_install(options);
    case Command::HookUninstall: return run_hook_uninstall(options);
    case Command::HookStatus: return run_hook_status(options);
    case Command::HookRun: return run_hook_check(options);
    case Command::SuppressAdd: return run_suppress_add(options);
    case Command::SuppressRemove: return run_suppress_remove(options);
    case Command::SuppressList: return run_suppress_list(options);
    case Command::SuppressExpire: return run_suppress_expire(options);
    case Command::BaselineSet: return run_baseline_set(options);
    case Command::BaselineShow: return run_baseline_show(options);
    case Command::BaselineClear: return run_baseline_clear(options);
    case Command::LanguageServer: return run_language_server();
    case Command::ContextProtocol: run_mcp(std::cin, std::cout); return 0;
    case Command::DaemonStop: return run_daemon_stop(true);
    case Command::DaemonRestart: {
      const int code = run_daemon_stop(false);
      return code != 0 ? code : run_daemon_start();
    }
    case Command::DaemonLogs: return run_daemon_logs(options);
    case Command::CacheStat: return run_cache_stat(options);
    case Command::CacheClear: return run_cache_clear(options);
    case Command::CacheExport: return run_cache_export(options);
    case Command::CacheUse: return run_cache_use(options);
    case Command::Rage: return with(run_rage);
    case Command::Completion:
    case Command::ManualPage: return print_table(options);
    case Command::Config: return with(run_config);
    case Command::Doctor: return with(run_doctor_command);
  }
  return static_cast<int>(ExitCode::Usage);
}

}  // namespace heddle::client
