#include "client/command_line/command_table.h"

#include <iterator>
#include <map>

#include "client/command_line/help_format.h"
#include "client/report/suppression_text.h"
#include "server/text/nearest.h"
#include "server/text/numbers.h"

namespace heddle::client {
namespace {

constexpr char kFooter[] =
    "Exit codes: 0 nothing new within the stated scope, 1 findings, 2 usage or configuration, 3 inconclusive, "
    "4 a needed file does not compile, 5 failure of Heddle itself, 130 interrupted.";

void add_seconds(CLI::App& app, const char* name, double& value, const char* help) {
  const CLI::Validator to_seconds(
      [](std::string& text) {
        const auto seconds = text::seconds_from(text);
        if (!seconds) return "'" + text + "' is no time; give " + text::kTimesRead + ", at most 1000000000 seconds";
        text = std::to_string(*seconds);
        return std::string();
      },
      "");
  app.add_option(name, value, help)->transform(to_seconds)->type_name("TIME");
}

template <typename Value>
CLI::Option* add_choice(CLI::App& app, const char* name, Value& value, const std::map<std::string, Value>& choices,
                        const char* help) {
  std::string names;
  for (const auto& [choice, meaning] : choices) names += (names.empty() ? "" : "|") + choice;
  // CLI11's own transformer prints its table into help and errors.
  const CLI::Validator to_value(
      [choices, names](std::string& text) {
        const auto found = choices.find(text);
        if (found == choices.end()) {
          std::vector<std::string> known;
          for (const auto& [choice, meaning] : choices) known.push_back(choice);
          const std::string guess = text::nearest(text, known);
          return "'" + text + "' is none of " + names + (guess.empty() ? "" : "; did you mean '" + guess + "'?");
        }
        text = std::to_string(static_cast<int>(found->second));
        return std::string();
      },
      "");
  return app.add_option(name, value, help)->transform(to_value)->type_name(names)->default_str("");
}

void add_output_options(CLI::App& app, Options& options) {
  add_choice<Format>(
      app, "--format", options.format,
      {{"text", Format::Text}, {"jsonl", Format::Jsonl}, {"sarif", Format::Sarif}, {"html", Format::Html}},
      "Output: text, jsonl (one JSON object per line), sarif (2.1.0), html (one page with the interleavings)");
  app.add_option("--output", options.output, "Write the results to this file")->type_name("FILE");
  add_choice<ColourChoice>(
      app, "--color,--colour", options.colour,
      {{"auto", ColourChoice::Auto}, {"always", ColourChoice::Always}, {"never", ColourChoice::Never}},
      "Colours: auto (on a terminal without NO_COLOR), always, never");
  app.add_flag("-q,--quiet", options.quiet, "One line for each finding and one for the verdict, for scripts");
}

void add_verbose(CLI::App& app, Options& options) {
  app.add_flag("--verbose", options.verbose, "All that the verdict rests on: assumptions, limits, unknown functions")
      ->excludes(app.get_option("--quiet"));
}

void add_project_options(CLI::App& app, Options& options) {
  app.add_option("-p,--compile-commands", options.database_directory, "Folder of compile_commands.json")
      ->type_name("DIR");
  app.add_option("--target,--test", options.target,
                 "Only this target (the file that defines main, or its name), or this test case");
  app.add_flag("--no-daemon", options.no_daemon, "Run an engine for this command only");
}

void add_detail(CLI::App& app, Options& options) {
  app.add_flag("--detail", options.detail, "Every step of an interleaving, also inside of library calls");
}

void add_check_options(CLI::App& app, Options& options) {
  app.add_option("files", options.files, "Files to check (default: the whole project)")->type_name("FILE");
  add_project_options(app, options);
  add_output_options(app, options);
  add_verbose(app, options);
  app.add_option("--base", options.base, "Compare with this file or folder as the old version")->type_name("PATH");
  add_seconds(app, "--time-limit", options.time_limit_seconds,
              "Stop the search of each program or test case after this time: 90, 90s, 5min, 2h");
  add_choice<v1::PlainAccesses>(app, "--plain-accesses", options.plain_accesses,
                                {{"race", v1::PLAIN_ACCESSES_RACE}, {"visible", v1::PLAIN_ACCESSES_VISIBLE}},
                                "Plain shared accesses: race (found by happens-before) or visible (each may be "
                                "interleaved)");
  app.add_flag("--spurious-wakeups", options.spurious_wakeups, "Condition waits may end without a signal");
  add_choice<OnInconclusive>(app, "--on-inconclusive", options.on_inconclusive,
                             {{"fail", OnInconclusive::Fail}, {"pass", OnInconclusive::Pass}},
                             "Exit code of an inconclusive check: fail (3) or pass (0)");
  app.add_flag("--new", options.only_new, "Show only findings that this check introduced (the exit code is of all)");
  app.add_flag("--all-steps", options.all, "Show the interleavings of all findings, every step");
  add_detail(app, options);
}

// Adds commands that set `options.command` when they are given.
class Adder {
 public:
  explicit Adder(Options& options) : options_(options) {}
  CLI::App* operator()(CLI::App& parent, const char* name, const char* help, Command value) const {
    CLI::App* const sub = parent.add_subcommand(name, help);
    sub->callback([&options = options_, value] { options.command = value; });
    return sub;
  }

 private:
  Options& options_;
};

void add_files(CLI::App& app, Options& options) {
  app.add_option("files", options.files, "Files of the project (where there is no database)")->type_name("FILE");
}

void add_memory_model(CLI::App& app, Options& options, const char* help) {
  add_choice<v1::MemoryModel>(app, "--memory-model", options.memory_model,
                              {{"sc", v1::MEMORY_MODEL_SC},
                               {"tso", v1::MEMORY_MODEL_TSO},
                               {"ra", v1::MEMORY_MODEL_RA},
                               {"rc11", v1::MEMORY_MODEL_RC11}},
                              help);
}

void add_harness(CLI::App& app, const Adder& command, Options& options) {
  CLI::App* harness =
      command(app, "harness", "Write drivers of two or three threads for a class or functions, and check them",
              Command::Harness);
  harness
      ->add_option("names", options.subjects, "Classes and functions (Queue, 'Queue<int>'), and files that have them")
      ->required()
      ->type_name("CLASS|FUNCTION");
  harness->add_flag("--linearizable", options.linearizable,
                    "Results that no sequential order of the calls explains are findings, too");
  harness->add_option("--write", options.write_file, "Keep the drivers in this file, as a test")->type_name("FILE");
  add_project_options(*harness, options);
  add_output_options(*harness, options);
  add_verbose(*harness, options);
  add_seconds(*harness, "--time-limit", options.time_limit_seconds, "Stop each driver after this time (default: 20s)");
  add_choice<OnInconclusive>(*harness, "--on-inconclusive", options.on_inconclusive,
                             {{"fail", OnInconclusive::Fail}, {"pass", OnInconclusive::Pass}},
                             "Exit code of an inconclusive check: fail (3) or pass (0)");
  harness->add_flag("--all-steps", options.all, "Show the interleavings of all findings, every step");
  add_detail(*harness, options);
}

void add_checks(CLI::App& app, const Adder& command, Options& options) {
  CLI::App* check = command(app, "check", "Check what changed since the verified version", Command::Check);
  add_check_options(*check, options);
  check->add_flag("--full", options.full, "Explore every interleaving instead of the increment");
  add_memory_model(*check, options,
                   "With --full: explore every execution graph of this memory model; nothing is remembered");
  check
      ->add_option("--overlay", options.overlays,
                   "Check as if FILE had the text of the file TEXT; nothing is remembered (repeatable)")
      ->type_name("FILE=TEXT")
      ->allow_extra_args(false);
  check->add_flag("--verify-incremental", options.verify_incremental,
                  "Check the increment, explore every interleaving as well, and say where they differ");
  CLI::Option* staged = check->add_flag("--staged", options.staged, "Check git's index against HEAD");
  CLI::Option* since =
      check->add_option("--since", options.since, "Check the files against a git revision")->type_name("REV");
  since->excludes(staged);
  check->add_option("--range", options.range, "Check what git has at B against A")
      ->type_name("A..B")
      ->excludes(staged)
      ->excludes(since);
  add_seconds(*check, "--budget", options.budget, "With --staged, --since, --range: for all of it");
  check->footer(
      "Compiler flags for files without compile_commands.json follow after `--`, paths relative to the folder you are "
      "in:\n  heddle check src/queue.c -- -O2 -Iinclude");
  CLI::App* full =
      command(app, "full", "Explore every interleaving (a version that was, answers from the ledger)", Command::Full);
  add_check_options(*full, options);
  add_memory_model(*full, options, "Explore every execution graph of this memory model; nothing is remembered");
  CLI::App* weaken =
      command(app, "weaken", "Which memory orders are needed: explore with each one a step weaker", Command::Weaken);
  add_check_options(*weaken, options);
  add_memory_model(*weaken, options, "The memory model; default: that of the settings, or rc11");
  weaken->footer("--time-limit is for each exploration. Nothing is remembered.");
  CLI::App* nightly =
      command(app, "nightly", "Explore every interleaving of every target and compare with what the increments said",
              Command::Nightly);
  add_check_options(*nightly, options);
  nightly->add_flag("--slurm", options.slurm,
                    "Explore each target as a job of the Slurm cluster; without one on this machine");
  nightly->footer(
      "--time-limit is for all targets together; killed, it continues where it was when it is run again.\n"
      "--format=html has the course of all runs.");
  add_harness(app, command, options);
  CLI::App* watch = command(app, "watch", "Check on every save until interrupted", Command::Watch);
  add_check_options(*watch, options);
}

void add_fix(CLI::App& app, const Adder& command, Options& options) {
  CLI::App* fix =
      command(app, "fix", "Fixes of a finding that were proved: explored before they are shown", Command::Fix);
  fix->add_option("id", options.id, "The finding's id or the beginning of it (default: each open one)");
  add_files(*fix, options);
  CLI::Option* list =
      fix->add_flag("--list", options.list, "Up to three proved ones, and what speaks against the others");
  fix->add_flag("--apply", options.apply, "Write the first proved one")->excludes(list);
  fix->add_option("--base", options.base, "The version before the edit: taking the edit back is tried first")
      ->type_name("PATH");
  add_seconds(*fix, "--time-limit", options.time_limit_seconds, "For the trials of each finding (default: 30s)");
  add_choice<v1::PlainAccesses>(*fix, "--plain-accesses", options.plain_accesses,
                                {{"race", v1::PLAIN_ACCESSES_RACE}, {"visible", v1::PLAIN_ACCESSES_VISIBLE}},
                                "As the check that reported the finding");
  fix->add_flag("--spurious-wakeups", options.spurious_wakeups, "As the check that reported the finding");
  fix->add_flag("--full", options.full, "Findings of the check of every interleaving");
  add_memory_model(*fix, options, "With --full: findings of that memory model");
  add_project_options(*fix, options);
  add_output_options(*fix, options);
}

void add_questions(CLI::App& app, const Adder& command, Options& options) {
  CLI::App* show = command(app, "show", "A finding with its interleaving (without ID: all open ones)", Command::Show);
  show->add_option("id", options.id, "The finding's id or the beginning of it");
  CLI::App* replay = command(app, "replay", "Run a finding's interleaving again on the current files", Command::Replay);
  replay->add_option("id", options.id, "The finding's id or the beginning of it");
  replay
      ->add_option("--schedule", options.schedule,
                   "Instead of an id: what `heddle show ID --schedule` printed, anywhere")
      ->type_name("SCHEDULE");
  CLI::Option* word =
      show->add_flag("--schedule", options.as_schedule, "The interleaving as one word, for `heddle replay --schedule`");
  show->add_flag("--as-test", options.as_test,
                 "A C or C++ program that forces the interleaving natively, for a sanitizer or its own assertion")
      ->excludes(word);
  show->add_option("--before", options.before,
                   "May step STEP of the interleaving come before step OTHER? (numbers as `show --detail` has them)")
      ->type_name("STEP,OTHER")
      ->delimiter(',')
      ->expected(2)
      ->check(CLI::PositiveNumber)
      ->excludes(word);
  for (CLI::App* sub : {show, replay}) {
    add_files(*sub, options);
    add_detail(*sub, options);
  }
  add_fix(app, command, options);
  CLI::App* pairs =
      command(app, "pairs", "The pairs of the last check and why each was chosen or skipped", Command::Pairs);
  pairs->add_option("files", options.files, "Only of the targets that one of these files is part of")
      ->type_name("FILE");
  CLI::App* why = command(app, "why", "The pairs that a file or line gave rise to", Command::Why);
  why->add_option("place", options.place, "FILE or FILE:LINE");
  for (CLI::App* sub : {show, replay, pairs, why}) {
    add_project_options(*sub, options);
    add_output_options(*sub, options);
  }
  add_verbose(*replay, options);
  CLI::App* status =
      command(app, "status", "What the daemon does, what is open, how long checks take", Command::Status);
  add_project_options(*status, options);
  add_output_options(*status, options);
}

void add_upkeep(CLI::App& app, const Adder& command, Options& options) {
  CLI::App* daemon = app.add_subcommand("daemon", "The background process: start, stop, restart, logs");
  daemon->require_subcommand(1);
  command(*daemon, "start", "Start it (other commands do so by themselves)", Command::DaemonStart);
  command(*daemon, "stop", "Stop it and its engines", Command::DaemonStop);
  command(*daemon, "restart", "Stop and start it", Command::DaemonRestart);
  CLI::App* logs = command(*daemon, "logs", "The end of its log", Command::DaemonLogs);
  logs->add_option("-n,--lines", options.log_lines, "How many lines");

  CLI::App* cache = app.add_subcommand("cache", "What is remembered of a project: stat, clear, export, use");
  cache->require_subcommand(1);
  CLI::App* stat = command(*cache, "stat", "Where it is and how large", Command::CacheStat);
  CLI::App* clear =
      command(*cache, "clear", "Forget it (nights stay): ends the daemon, and the next check owes everything",
              Command::CacheClear);
  CLI::App* to = command(*cache, "export",
                         "Write what was judged of this text to a store that others read: a fresh clone then answers "
                         "as this one",
                         Command::CacheExport);
  to->add_option("--to", options.store, "The store: a file, or a folder that holds it")->required()->type_name("PATH");
  CLI::App* use = command(*cache, "use",
                          "Read this store for all your projects, and write nothing to it; no checkout can choose one",
                          Command::CacheUse);
  auto* const path = use->add_option("store", options.store, "The store: a file, or a folder that holds it");
  path->type_name("PATH");
  use->add_flag("--none", options.no_store, "Read none from now on")->excludes(path);
  for (CLI::App* sub : {stat, clear, to}) {
    add_files(*sub, options);
    add_project_options(*sub, options);
  }
  CLI::App* rage = command(app, "rage",
                           "What a report of a problem needs: versions, settings, status, the log; no "
                           "source text",
                           Command::Rage);
  add_files(*rage, options);
  add_project_options(*rage, options);
  rage->add_option("--output", options.output, "Write to this file instead of standard output")->type_name("FILE");
  CLI::App* doctor =
      command(app, "doctor", "Is everything there that a check needs, and what to do if not", Command::Doctor);
  doctor->add_flag(
      "--fix", options.fix,
      "Mend what can be mended: a compile database by CMake (runs the project's CMakeLists.txt), the hook, "
      "a daemon of another build");
  add_project_options(*doctor, options);
  add_output_options(*doctor, options);
  CLI::App* config = command(app, "config", "Each setting, its value, and where it comes from", Command::Config);
  config->add_option("--schema", options.schema, "Print a JSON schema: of .heddle.yaml, or of --format=jsonl")
      ->type_name("settings|jsonl");
  add_project_options(*config, options);
  add_output_options(*config, options);
}

void add_hook(CLI::App& app, const Adder& command, Options& options) {
  CLI::App* hook = app.add_subcommand("hook", "The check of commits: install, uninstall, status, run");
  hook->require_subcommand(1);
  command(*hook, "install", "Put it into this repository's hooks (an earlier hook runs first)", Command::HookInstall);
  command(*hook, "uninstall", "Take it away and put the earlier hook back", Command::HookUninstall);
  command(*hook, "status", "Is it installed, and which commits are owed", Command::HookStatus);
  CLI::App* run = command(*hook, "run", "Check what is staged, as git's pre-commit hook", Command::HookRun);
  add_seconds(*run, "--budget", options.budget, "For all of it (default: git config heddle.budget, else 10s)");
  add_choice<OnInconclusive>(*run, "--on-inconclusive", options.on_inconclusive,
                             {{"fail", OnInconclusive::Fail}, {"pass", OnInconclusive::Pass}},
                             "Default: git config heddle.onInconclusive, else pass");
  run->add_option("-p,--compile-commands", options.database_directory, "Folder of compile_commands.json")
      ->type_name("DIR");
  run->callback([&options, run] {
    options.command = Command::HookRun;
    options.on_inconclusive_given = run->count("--on-inconclusive") > 0;
  });
}

void add_suppress(CLI::App& app, const Adder& command, Options& options) {
  CLI::App* suppress = app.add_subcommand("suppress", "Findings to live with: add, remove, list, expire");
  suppress->require_subcommand(1);
  CLI::App* add = command(*suppress, "add", "Suppress a finding, for a reason", Command::SuppressAdd);
  add->add_option("--reason", options.reason, "Why the finding is accepted, for the next reader")->required();
  add->add_option("--owner", options.owner, "Who answers for it");
  add->add_option("--until", options.until, "It counts until this day")->type_name("YYYY-MM-DD");
  add->add_flag("--in-settings", options.in_settings, "Into .heddle.yaml instead of a comment at the statement");
  add->add_option("--scope", options.scope, "In .heddle.yaml: what else of this rule is covered; default: finding")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(kSuppressionScopes), std::end(kSuppressionScopes))));
  CLI::App* remove = command(*suppress, "remove", "Take a suppression away", Command::SuppressRemove);
  for (CLI::App* sub : {add, remove})
    sub->add_option("id", options.id, "The finding's id or the beginning of it")->required();
  CLI::App* list = command(*suppress, "list", "What is suppressed, and what is without use", Command::SuppressList);
  CLI::App* expire = command(*suppress, "expire", "Take away those that are past their day", Command::SuppressExpire);
  for (CLI::App* sub : {add, remove, list, expire}) {
    add_files(*sub, options);
    add_project_options(*sub, options);
  }
}

void add_baseline(CLI::App& app, const Adder& command, Options& options) {
  CLI::App* baseline = app.add_subcommand("baseline", "Findings that were there before: set, show, clear");
  baseline->require_subcommand(1);
  CLI::App* set = command(*baseline, "set", "All findings that are there now are known: counted, not reported again",
                          Command::BaselineSet);
  CLI::App* show = command(*baseline, "show", "The known findings, and which of them are gone", Command::BaselineShow);
  CLI::App* clear = command(*baseline, "clear", "Forget which are known: all count again", Command::BaselineClear);
  for (CLI::App* sub : {set, show, clear}) {
    add_files(*sub, options);
    add_project_options(*sub, options);
  }
}

// All that ask a daemon: a project, a test or a second version can have one of its own.
void add_isolation(CLI::App& app, Options& options) {
  for (CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    const bool asks_none = sub->get_name() == "man" || sub->get_name() == "completion" || sub->get_name() == "config";
    if (!sub->get_subcommands([](const CLI::App*) { return true; }).empty()) {
      add_isolation(*sub, options);
    } else if (!asks_none) {
      sub->add_option("--isolation-dir", options.isolation_directory, "Use a daemon that has its socket and log here")
          ->type_name("DIR");
    }
  }
}

}  // namespace

std::unique_ptr<CLI::App> make_command_table(Options& options) {
  auto table = std::make_unique<CLI::App>(
      "heddle: checks the interleavings of multithreaded C and C++ programs while you edit them", "heddle");
  CLI::App& app = *table;
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("heddle ") + HEDDLE_VERSION);
  app.require_subcommand(1);
  const auto format = std::make_shared<HelpFormat>();
  format->column_width(34);
  app.formatter(format);  // of its commands, too
  const Adder command(options);
  add_checks(app, command, options);
  add_questions(app, command, options);
  add_upkeep(app, command, options);
  add_hook(app, command, options);
  add_suppress(app, command, options);
  add_baseline(app, command, options);
  CLI::App* lsp = command(app, "lsp", "The language server, on standard input and output", Command::LanguageServer);
  lsp->add_flag("--stdio", options.stdio, "Accepted for editors that say so; there is no other way");
  command(app, "mcp", "The Model Context Protocol, on standard input and output", Command::ContextProtocol);
  CLI::App* completion =
      command(app, "completion", "Completion of these commands for bash, zsh or fish", Command::Completion);
  completion->add_option("shell", options.shell, "Which shell")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}))
      ->type_name("bash|zsh|fish");
  completion->footer("bash: heddle completion bash > ~/.local/share/bash-completion/completions/heddle");
  command(app, "man", "The manual page, for `man -l`", Command::ManualPage);
  add_isolation(app, options);
  return table;
}

}  // namespace heddle::client
