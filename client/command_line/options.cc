#include "client/command_line/options.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "client/command_line/command_table.h"
#include "server/text/nearest.h"

namespace heddle::client {
namespace {

int usage(const std::string& message) {
  std::cerr << "heddle: " << message << "\n";
  return static_cast<int>(ExitCode::Usage);
}

// Options that do not go together: why not; empty if they do.
std::string contradiction(const Options& options) {
  const bool of_git = options.staged || !options.since.empty() || !options.range.empty();
  if (options.command == Command::Check && (options.budget > 0) && !of_git) {
    return "--budget is for --staged, --since and --range; use --time-limit here";
  }
  if (options.command == Command::Replay && options.id.empty() && options.schedule.empty())
    return "replay needs the id of a finding (heddle show lists them), or --schedule";
  if (of_git && (!options.files.empty() || !options.base.empty())) {
    return "--staged, --since and --range find the files themselves: leave out the files and --base";
  }
  const bool documents = options.format == Format::Sarif || options.format == Format::Html;
  if (options.verify_incremental && (options.full || of_git || documents)) {
    return "--verify-incremental goes with none of --full, --staged, --since, --range, --format=sarif "
           "and --format=html: leave one of them out";
  }
  const bool has_findings = options.command == Command::Check || options.command == Command::Full ||
                            options.command == Command::Show || options.command == Command::Replay;
  if ((options.format == Format::Sarif || options.format == Format::Html) && !has_findings) {
    if (options.command == Command::Nightly && options.format == Format::Html) return "";
    return "--format=sarif and --format=html are for check, full, show and replay; use text or jsonl here";
  }
  return "";
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// A word where a command should be, and is none, or no word at all: the message; else empty.
std::string mistyped_command(const CLI::App& table, const std::vector<std::string>& words) {
  const CLI::App* app = &table;
  std::string path = "heddle";
  std::string unknown;  // the first option that is none of the command before it
  bool asks = false;    // --help, --version
  for (const std::string& word : words) {
    if (app->get_require_subcommand_min() == 0) return "";
    asks |= word.starts_with("-");
    if (word.starts_with("-") && unknown.empty() && app->get_option_no_throw(word) == nullptr) unknown = word;
    if (word.starts_with("-")) continue;
    const std::vector<std::string> names = command_names(*app), all = command_names(table);
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      if (!unknown.empty())  // the word is its value
        return "'" + unknown + "' is not known to `" + path + "`: see `" + path + " --help`";
      if (app != &table && std::find(all.begin(), all.end(), word) != all.end())
        return "'" + word + "' is no command of " + path + ": did you mean `heddle " + word + "`?";
      const bool is_option = app->get_option_no_throw("--" + word) != nullptr;
      const std::string guess = is_option ? "--" + word : text::nearest(word, names);
      return "'" + word + "' is no command of " + path +
             (guess.empty() ? "; its commands are " + list_of(names) : ": did you mean `" + path + " " + guess + "`?");
    }
    app = app->get_subcommand(word);
    path += " " + word;
  }
  if (app->get_require_subcommand_min() > 0 && !asks)
    return "`" + path + "` needs a command: " + list_of(command_names(*app)) + "; see `" + path + " --help`";
  return "";
}

const CLI::App& deepest(const CLI::App& app) {
  const auto subs = app.get_subcommands();
  return subs.empty() ? app : deepest(*subs.front());
}

// "heddle baseline set".
std::string path_of(const CLI::App& app) {
  std::string path;
  for (const CLI::App* at = &app; at != nullptr; at = at->get_parent())
    path = at->get_name() + (path.empty() ? "" : " ") + path;
  return path;
}

// What is required and was not given.
std::string missing_argument(const CLI::App& table) {
  const CLI::App& app = deepest(table);
  std::string missing;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    std::string word = option->get_type_name();
    if (!option->get_lnames().empty()) word = "--" + option->get_lnames().front();
    if (word.empty() || word == "TEXT") word = "the " + option->get_single_name();
    missing += (missing.empty() ? "" : " and ") + word;
  }
  return "`" + path_of(app) + "` needs " + missing + ": see `" + path_of(app) + " --help`";
}

// Arguments that nothing expects.
std::string mistyped_option(const CLI::App& table) {
  const CLI::App& app = deepest(table);
  const std::string path = path_of(app);
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  std::string word;
  for (const std::string& extra : table.remaining(true))
    if (word.empty() || (!word.starts_with("-") && extra.starts_with("-"))) word = extra;
  word = word.substr(0, word.find('='));
  const std::string guess = word.starts_with("--") ? text::nearest(word, names) : "";
  return "'" + word + "' is not known to `" + path + "`" +
         (guess.empty() ? ": see `" + path + " --help`" : ": did you mean `" + guess + "`?");
}

// `heddle help check` is `heddle check --help`.
std::vector<std::string> arguments_before_flags(int argc, const char* const* argv, Options& options) {
  // What follows `--` belongs to the compiler, whatever it looks like.
  const char* const* const end =
      std::find_if(argv + 1, argv + argc, [](const char* argument) { return std::string_view(argument) == "--"; });
  if (end != argv + argc) options.flags.assign(end + 1, argv + argc);
  std::vector<std::string> words(argv + 1, end);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  return words;
}

}  // namespace

bool parse_options(int argc, const char* const* argv, Options& options, int& exit_code) {
  const std::unique_ptr<CLI::App> app = make_command_table(options);
  std::vector<std::string> words = arguments_before_flags(argc, argv, options);
  if (const std::string mistake = mistyped_command(*app, words); !mistake.empty()) {
    exit_code = usage(mistake);
    return false;
  }
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app->parse(std::move(words));
  } catch (const CLI::ExtrasError&) {
    exit_code = usage(mistyped_option(*app));
    return false;
  } catch (const CLI::RequiredError&) {
    exit_code = usage(missing_argument(*app));
    return false;
  } catch (const CLI::ValidationError& error) {
    exit_code = usage(std::string(error.what()) + "; see `" + path_of(deepest(*app)) + " --help`");
    return false;
  } catch (const CLI::ParseError& error) {
    exit_code = error.get_exit_code() == 0 ? 0 : static_cast<int>(ExitCode::Usage);
    app->exit(error, std::cout, std::cerr);
    return false;
  }
  if (!options.isolation_directory.empty()) {  // for the daemon that is started, too, wherever that runs
    std::error_code error;
    setenv("HEDDLE_RUNTIME_DIR", std::filesystem::absolute(options.isolation_directory, error).c_str(), 1);
  }
  if (options.command == Command::Full || options.command == Command::Weaken) options.full = true;
  if (const std::string mistake = contradiction(options); !mistake.empty()) {
    exit_code = usage(mistake);
    return false;
  }
  return true;
}

}  // namespace heddle::client
