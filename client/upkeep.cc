#include "client/upkeep.h"
#include "client/check_request.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "client/command_line/output.h"
#include "client/link/daemon_link.h"
#include "client/nightly/nightly.h"
#include "client/report/numbers.h"
#include "server/daemon/paths.h"
#include "server/disk/folder.h"
#include "server/disk/user_state.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNights = "nightly";  // see client/nightly/nightly.h
constexpr size_t kLogLines = 200;

// What lies elsewhere, and is not forgotten with the project.
struct Elsewhere {
  std::string what, folder;
  uint64_t bytes = 0;
};

struct Cached {
  std::string root, folder;  // folder empty: nothing is kept
  uint64_t bytes = 0, nights = 0;
  std::vector<Elsewhere> elsewhere;
};

uint64_t size_of(const fs::path& folder) {
  uint64_t sum = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, error)) {
    const uint64_t size = entry.is_regular_file(error) ? entry.file_size(error) : 0;
    if (!error) sum += size;
  }
  return sum;
}

std::variant<v1::StatusResponse, Failure> status_of(const v1::CheckRequest& request) {
  // An engine of our own: a busy daemon's knows no more.
  auto connected = connect_engine();
  if (const auto* failure = std::get_if<Failure>(&connected)) return *failure;
  v1::StatusRequest status;
  status.set_root(request.root());
  *status.mutable_project() = request;
  return std::get<0>(connected)->status(status);
}

bool is_below(const std::string& path, const std::string& folder) {
  return !folder.empty() && (path == folder || path.starts_with(folder + "/"));
}

std::vector<Elsewhere> kept_elsewhere(const Cached& cached, const v1::CheckRequest& request) {
  std::vector<Elsewhere> out;
  const auto add = [&](const std::string& what, const std::string& folder) {
    const bool known = is_below(folder, cached.folder) ||
                       std::any_of(out.begin(), out.end(), [&](const Elsewhere& e) { return e.folder == folder; });
    if (const uint64_t bytes = folder.empty() || known ? 0 : size_of(folder); bytes > 0)
      out.push_back({what, folder, bytes});
  };
  add("nights", nightly_folder(request));
  add("verified increments", verification_folder(request));
  add("library code, for all projects", disk::library_cache());
  for (const std::string& folder : disk::state_folders()) add("log, key and choices of the user", folder);
  // Caches of other lone files, and their nights.
  const std::string user = disk::user_cache().empty() ? "" : disk::user_cache() + "/heddle";
  Elsewhere rest{"of other files", user, user.empty() ? 0 : size_of(user)};
  if (is_below(cached.folder, user)) rest.bytes -= std::min(rest.bytes, cached.bytes + cached.nights);
  for (const Elsewhere& known : out)
    if (is_below(known.folder, user)) rest.bytes -= std::min(rest.bytes, known.bytes);
  if (rest.bytes > 0) out.push_back(rest);
  return out;
}

std::variant<Cached, Failure> find_cache(const Options& options) {
  v1::CheckRequest request;
  if (auto failure = make_request(options, request)) return *failure;
  const auto answer = status_of(request);
  if (const auto* failure = std::get_if<Failure>(&answer)) return *failure;
  Cached out;
  out.root = request.root();
  for (const v1::ProjectStatus& project : std::get<v1::StatusResponse>(answer).projects())
    if (out.folder.empty()) out.folder = project.cache_folder();
  if (!out.folder.empty()) {
    out.nights = size_of(fs::path(out.folder) / kNights);
    out.bytes = size_of(out.folder) - out.nights;
  }
  out.elsewhere = kept_elsewhere(out, request);
  return out;
}

// All that is kept, but the nights. What is a link on the way is left alone, and one in the folder goes alone.
std::error_code forget(const Cached& cached) {
  const std::string below = cached.root + "/";
  const bool inside = cached.folder.starts_with(below);
  const fs::path rest = inside ? fs::path(cached.folder.substr(below.size())) : fs::path(cached.folder).filename();
  const std::string base = inside ? cached.root : fs::path(cached.folder).parent_path().string();
  const auto folder = disk::Folder::open(base, {rest.begin(), rest.end()}, disk::Folder::Missing::Fail);
  if (!folder.valid()) return {errno, std::generic_category()};
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(cached.folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name != kNights && !folder.remove(name)) error = {errno, std::generic_category()};
  }
  return error;
}

void say_elsewhere(const Cached& cached, const char* head) {
  if (!cached.elsewhere.empty()) std::printf("%s\n", head);
  for (const Elsewhere& other : cached.elsewhere)
    std::printf("  %s: %s, %s\n", other.folder.c_str(), bytes_text(other.bytes).c_str(), other.what.c_str());
}

int say_nothing_kept(const Cached& cached) {
  std::printf("nothing is remembered of %s\n", cached.root.c_str());
  say_elsewhere(cached, "what lies elsewhere:");
  return 0;
}

void print_machine(std::FILE* out) {
  utsname system{};
  uname(&system);
  const auto pages = static_cast<uint64_t>(std::max(0l, sysconf(_SC_PHYS_PAGES)));
  const auto page = static_cast<uint64_t>(std::max(0l, sysconf(_SC_PAGESIZE)));
  std::fprintf(out, "heddle %s, build %llu\n%s %s %s, %ld cores, %s of memory\n", HEDDLE_VERSION,
               static_cast<unsigned long long>(daemon::build_number()), system.sysname, system.release, system.machine,
               sysconf(_SC_NPROCESSORS_ONLN), bytes_text(pages * page).c_str());
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (text.starts_with("HEDDLE_") || text.starts_with("XDG_")) std::fprintf(out, "%s\n", text.c_str());
  }
}

void print_daemon(std::FILE* out) {
  const auto running = running_daemon();
  if (const auto* failure = std::get_if<Failure>(&running)) {
    std::fprintf(out, "%s; %s\n", failure->message.c_str(), failure->remedy.c_str());
  } else if (const auto& facts = std::get<std::optional<DaemonFacts>>(running)) {
    std::fprintf(out, "heddled %s, build %s, process %lld, %s\n", facts->version.c_str(), facts->build.c_str(),
                 static_cast<long long>(facts->pid), facts->socket.c_str());
  } else {
    std::fprintf(out, "no daemon is running\n");
  }
}

void print_project(std::FILE* out, const Options& options) {
  const auto found = find_cache(options);
  if (const auto* failure = std::get_if<Failure>(&found)) {
    std::fprintf(out, "%s; %s\n", failure->message.c_str(), failure->remedy.c_str());
    return;
  }
  const Cached& cached = std::get<Cached>(found);
  std::fprintf(out, "root: %s\ncache: %s\n", cached.root.c_str(),
               cached.folder.empty() ? "none" : (cached.folder + ", " + bytes_text(cached.bytes)).c_str());
  for (const char* name : {"compile_commands.json", "build/compile_commands.json", ".heddle.yaml"}) {
    std::error_code error;
    const uint64_t size = fs::file_size(cached.root + "/" + name, error);
    if (!error) std::fprintf(out, "%s: %s\n", name, bytes_text(size).c_str());
  }
}

// What the daemon knows of all projects: it is not started for this.
void print_status(const Options& options, const Output& output) {
  const auto running = running_daemon();
  const auto* facts = std::get_if<std::optional<DaemonFacts>>(&running);
  if (!facts || !facts->has_value()) return;
  auto connected = connect_daemon();
  if (std::holds_alternative<Failure>(connected)) return;
  const auto answer = std::get<0>(connected)->status({});
  Progress progress(Style{}, false);
  if (const auto* response = std::get_if<v1::StatusResponse>(&answer))
    make_report(options, "", output, progress)->status(*response);
}

}  // namespace

std::optional<std::vector<std::string>> last_lines(const std::string& path, size_t count) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::deque<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(std::move(line));
    if (lines.size() > count) lines.pop_front();
  }
  return std::vector<std::string>(std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()));
}

int run_cache_stat(const Options& options) {
  const auto found = find_cache(options);
  if (const auto* failure = std::get_if<Failure>(&found)) return fail(*failure, ExitCode::Usage);
  const Cached& cached = std::get<Cached>(found);
  if (cached.folder.empty()) return say_nothing_kept(cached);
  std::printf("%s: %s%s\n", cached.folder.c_str(), bytes_text(cached.bytes).c_str(),
              cached.nights > 0 ? (", and nights: " + bytes_text(cached.nights)).c_str() : "");
  say_elsewhere(cached, "what lies elsewhere:");
  return 0;
}

int run_cache_clear(const Options& options) {
  const auto found = find_cache(options);
  if (const auto* failure = std::get_if<Failure>(&found)) return fail(*failure, ExitCode::Usage);
  const Cached& cached = std::get<Cached>(found);
  if (cached.folder.empty()) return say_nothing_kept(cached);
  const auto stopped = stop_daemon();  // its engines hold the books
  if (const auto* failure = std::get_if<Failure>(&stopped)) return fail(*failure, ExitCode::Internal);
  if (const std::error_code error = forget(cached))
    return fail({cached.folder + ": " + error.message(), "look at its permissions, or remove it by hand"},
                ExitCode::Internal);
  std::printf("%s: %s forgotten%s; the next check owes everything\n", cached.folder.c_str(),
              bytes_text(cached.bytes).c_str(), std::get<bool>(stopped) ? ", the daemon was stopped" : "");
  if (cached.nights > 0)
    std::printf("left: %s/%s: %s, nights\n", cached.folder.c_str(), kNights, bytes_text(cached.nights).c_str());
  say_elsewhere(cached, "left, because it is not of this project's cache:");
  return 0;
}

int run_rage(const Options& options, const Output& output) {
  std::FILE* const out = output.file();
  const std::time_t now = std::time(nullptr);
  char when[32];
  std::tm parts{};
  std::strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&now, &parts));
  std::fprintf(out, "What Heddle says of itself, %s. No source text is in it; names of files and functions are.\n",
               when);
  const auto head = [&](const char* text) { std::fprintf(out, "\n== %s\n", text); };
  head("machine");
  print_machine(out);
  head("daemon");
  print_daemon(out);
  head("project");
  print_project(out, options);
  head("status");
  print_status(options, output);
  head("log");
  const auto paths = daemon::runtime_paths();
  const auto* known = std::get_if<daemon::RuntimePaths>(&paths);
  if (const auto lines = known ? last_lines(known->log, kLogLines) : std::nullopt)
    for (const std::string& line : *lines) std::fprintf(out, "%s\n", line.c_str());
  return 0;
}

}  // namespace heddle::client
