#include "client/check_request.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/daemon/paths.h"
#include "server/disk/project_place.h"
#include "server/disk/utf8_name.h"

namespace heddle::client {
bool is_there(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

std::string current_directory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

namespace {

// "FILE=TEXT": FILE counts as if it had the text of TEXT.
std::optional<Failure> add_overlays(const Options& options, const std::string& here, v1::CheckRequest& request) {
  for (const std::string& given : options.overlays) {
    const size_t equals = given.rfind('=');
    if (equals == given.npos || equals == 0)
      return Failure{"--overlay " + given + ": is not FILE=TEXT", "for example --overlay src/queue.c=/tmp/new.c"};
    std::ifstream stream(given.substr(equals + 1), std::ios::binary);
    std::ostringstream text;
    if (!stream || (text << stream.rdbuf()).bad())  // of an empty file it fails, and is not bad
      return Failure{"--overlay " + given + ": the text cannot be read", "name a file that is readable"};
    const std::string file = std::filesystem::path(given.substr(0, equals)).filename().string();
    if (file == "compile_commands.json" || file == "compile_flags.txt" || file == ".clangd")
      return Failure{"--overlay " + given + ": how files are compiled is read from the disk",
                     "write it into a folder of its own, and name that with -p"};
    v1::Overlay& overlay = *request.add_overlays();
    overlay.set_path(disk::utf8_name(daemon::absolute_path(given.substr(0, equals), here)));
    overlay.set_text(text.str());
    overlay.set_asked(true);
    request.set_trial(true);
  }
  return std::nullopt;
}

bool has_overlay(const v1::CheckRequest& request, const std::string& path) {
  return std::any_of(request.overlays().begin(), request.overlays().end(),
                     [&](const v1::Overlay& overlay) { return overlay.path() == disk::utf8_name(path); });
}

std::optional<Failure> add_files(const Options& options, const std::string& here, v1::CheckRequest& request) {
  for (const std::string& file : options.files) {
    const std::string path = daemon::absolute_path(file, here);
    struct stat info;
    if (stat(path.c_str(), &info) != 0) {
      if (has_overlay(request, path)) {  // nothing but the given text is of it yet
        request.add_files(disk::utf8_name(path));
        continue;
      }
      return Failure{file + ": " + std::strerror(errno), "name C or C++ files that exist"};
    }
    if (S_ISDIR(info.st_mode))
      return Failure{file + ": is a folder", "name files; without any the whole project is checked"};
    if (access(path.c_str(), R_OK) != 0) return Failure{file + ": " + std::strerror(errno), "make it readable"};
    request.add_files(disk::utf8_name(path));
  }
  return std::nullopt;
}

// What is the name of a file here, is a file; the others are classes and functions.
std::optional<Failure> add_subjects(const Options& options, const std::string& here, v1::CheckRequest& request) {
  for (const std::string& subject : options.subjects) {
    const std::string path = daemon::absolute_path(subject, here);
    if (is_there(path) && !std::filesystem::is_directory(path))
      request.add_files(disk::utf8_name(path));
    else
      request.add_harness(subject);
  }
  if (!options.subjects.empty() && request.harness_size() == 0)
    return Failure{"no class or function is named", "for example: heddle harness Queue " + options.subjects[0]};
  request.set_linearizable(options.linearizable);
  if (!options.write_file.empty())
    request.set_harness_file(disk::utf8_name(daemon::absolute_path(options.write_file, here)));
  return std::nullopt;
}

std::optional<Failure> set_base_and_database(const Options& options, const std::string& here,
                                             v1::CheckRequest& request) {
  if (!options.base.empty()) {
    const std::string base = daemon::absolute_path(options.base, here);
    request.set_base(disk::utf8_name(base));
    if (!is_there(base)) return Failure{"--base " + options.base + ": " + std::strerror(errno), ""};
  }
  if (options.database_directory.empty()) return std::nullopt;
  request.set_database_directory(daemon::absolute_path(options.database_directory, here));
  const std::string& directory = request.database_directory();
  const bool is_file = directory.ends_with("/compile_commands.json") && is_there(directory);
  if (!is_file && !is_there(directory + "/compile_commands.json")) {
    return Failure{"-p " + options.database_directory + ": there is no compile_commands.json",
                   "make one: cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or `bear -- make`"};
  }
  return std::nullopt;
}

bool needs_files(Command command) {
  switch (command) {
    case Command::Check:
    case Command::Full:
    case Command::Weaken:
    case Command::Harness:
    case Command::Watch:
    case Command::Nightly:
    case Command::Fix: return true;
    default: return false;
  }
}

// The project that the files belong to, or the one around the current folder.
std::optional<Failure> set_root(const Options& options, const std::string& here, v1::CheckRequest& request) {
  if (!disk::is_utf8(here))
    return Failure{"the name of this folder is not UTF-8: " + disk::utf8_name(here),
                   "rename it, or work in another one"};
  const disk::ProjectPlace place = disk::find_project_place({request.files().begin(), request.files().end()},
                                                            request.database_directory(), here, !options.flags.empty());
  request.set_root(place.root);
  const bool known = options.command == Command::Fix;  // the files are those of the finding's last check
  if (place.lone_file && needs_files(options.command) && request.files().empty() && !known) {
    return Failure{"no files given, and no compile_commands.json in " + here + " or above it",
                   "name a file (heddle check file.c), or make a database: cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"};
  }
  return std::nullopt;
}

std::optional<Failure> set_exploration(const Options& options, v1::CheckRequest& request) {
  request.set_full(options.full);
  request.set_target(options.target);
  request.set_time_limit_seconds(options.time_limit_seconds);
  request.set_plain_accesses(options.plain_accesses);
  request.set_spurious_wakeups(options.spurious_wakeups);
  if (options.command == Command::Weaken) {
    request.set_weaken(true);
    request.set_trial(true);
  }
  if (options.memory_model != v1::MEMORY_MODEL_DEFAULT) {
    if (!options.full)
      return Failure{"--memory-model explores whole programs", "add --full: heddle check --full --memory-model=rc11"};
    request.set_memory_model(options.memory_model);
    request.set_trial(true);
  }
  return std::nullopt;
}

}  // namespace

// The request as the daemon wants it: absolute paths that exist. Mistakes are found here, before anything is started.
std::optional<Failure> make_request(const Options& options, v1::CheckRequest& request) {
  const std::string here = current_directory();
  if (auto failure = add_overlays(options, here, request)) return failure;
  if (auto failure = add_files(options, here, request)) return failure;
  if (auto failure = add_subjects(options, here, request)) return failure;
  if (auto failure = set_base_and_database(options, here, request)) return failure;
  if (auto failure = set_root(options, here, request)) return failure;
  if (auto failure = set_exploration(options, request)) return failure;
  for (const std::string& flag : options.flags) request.add_flags(flag);
  return std::nullopt;
}

}  // namespace heddle::client
