#include "client/git/git.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <sstream>

#include "server/daemon/paths.h"
#include "server/disk/file_kind.h"

extern char** environ;

namespace heddle::client {
namespace {

constexpr int kNotStarted = 127;  // as a shell has it
constexpr char kEmptyTree[] = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// A path may have line ends of its own.
std::string without_line_end(const std::string& text) {
  return text.ends_with('\n') ? text.substr(0, text.size() - 1) : text;
}

std::vector<std::string> split_zero(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\0', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// Both ends are read until they close.
void collect(int out, int error, GitAnswer& answer) {
  std::array<char, 65536> buffer{};
  pollfd entries[2] = {{out, POLLIN, 0}, {error, POLLIN, 0}};
  std::string* texts[2] = {&answer.out, &answer.error};
  for (int open = 2; open > 0;) {
    if (poll(entries, 2, -1) < 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (entries[i].fd < 0 || !entries[i].revents) continue;
      const ssize_t size = read(entries[i].fd, buffer.data(), buffer.size());
      if (size > 0) {
        texts[i]->append(buffer.data(), static_cast<size_t>(size));
      } else {
        entries[i].fd = -1;
        --open;
      }
    }
  }
}

GitAnswer not_started(int error) {
  GitAnswer answer;
  answer.code = kNotStarted;
  answer.error = std::string("git cannot be started: ") + std::strerror(error);
  const bool descriptors = error == EMFILE || error == ENFILE;
  answer.remedy = error == ENOENT || error == EACCES ? "install git"
                  : descriptors                      ? "see `ulimit -n`"
                                                     : "see `ulimit -u` and the free memory";
  return answer;
}

}  // namespace

GitAnswer run_git(const std::string& folder, const std::vector<std::string>& arguments) {
  GitAnswer answer;
  int out[2], error[2];
  if (pipe2(out, O_CLOEXEC) != 0) return not_started(errno);
  if (pipe2(error, O_CLOEXEC) != 0) {
    const int number = errno;
    close(out[0]), close(out[1]);
    return not_started(number);
  }
  // The monitor of files would be a command that the configuration names.
  std::vector<std::string> words = {"git", "--no-optional-locks",  "-C", folder,
                                    "-c",  "core.quotePath=false", "-c", "core.fsmonitor=false"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, error[1], 2);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, "git", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(error[1]);
  if (failed == 0) {
    collect(out[0], error[0], answer);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  } else {
    answer = not_started(failed);
  }
  close(out[0]);
  close(error[0]);
  return answer;
}

std::variant<GitTree, Failure> GitTree::at(const std::string& folder) {
  const GitAnswer answer = run_git(folder, {"rev-parse", "--show-toplevel"});
  if (!answer.remedy.empty()) return Failure{answer.error, answer.remedy};
  if (answer.code != 0)
    return Failure{folder + " is in no git work tree: " + first_line(answer.error), "run this inside one"};
  GitTree tree;
  tree.top_ = without_line_end(answer.out);
  const GitAnswer filters = run_git(folder, {"config", "-z", "--name-only", "--get-regexp", "^filter\\."});
  if (filters.code != 0 && filters.code != 1)  // 1: there are none
    return Failure{"git config: " + first_line(filters.error), filters.remedy};
  for (const std::string& key : split_zero(filters.out)) {
    // On the command line the value begins after the first such sign.
    if (key.find('=') != key.npos)
      return Failure{"git's setting " + key + " cannot be switched off", "rename the filter"};
    const bool runs = key.ends_with(".clean") || key.ends_with(".smudge") || key.ends_with(".process");
    if (!runs && !key.ends_with(".required")) continue;
    tree.filters_off_.insert(tree.filters_off_.end(), {"-c", key + (runs ? "=" : "=false")});
  }
  return tree;
}

GitAnswer GitTree::git(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), {"-c", "core.hooksPath=/dev/null"});
  arguments.insert(arguments.begin(), filters_off_.begin(), filters_off_.end());
  return run_git(top_, arguments);
}

std::string GitTree::git_folder() const {
  return daemon::absolute_path(without_line_end(run_git(top_, {"rev-parse", "--git-common-dir"}).out), top_);
}

std::string GitTree::hooks_folder() const {
  return daemon::absolute_path(without_line_end(run_git(top_, {"rev-parse", "--git-path", "hooks"}).out), top_);
}

std::optional<std::string> GitTree::revision(const std::string& name) const {
  const GitAnswer answer = git({"rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"});
  if (answer.code != 0) return std::nullopt;
  return first_line(answer.out);
}

std::optional<std::string> GitTree::setting(const std::string& name) const {
  const GitAnswer answer = run_git(top_, {"config", "--get", name});
  if (answer.code != 0) return std::nullopt;
  return first_line(answer.out);
}

bool GitTree::has_conflicts() const { return !git({"ls-files", "--unmerged"}).out.empty(); }

std::variant<std::string, Failure> GitTree::write_tree() const {
  const GitAnswer answer = git({"write-tree"});
  if (answer.code != 0) return Failure{"git write-tree: " + first_line(answer.error), ""};
  return first_line(answer.out);
}

std::variant<std::vector<GitTree::Change>, Failure> GitTree::changes(const std::string& from,
                                                                     const std::string& to) const {
  std::vector<std::string> arguments = {"diff",
                                        "--no-renames",
                                        "--no-ext-diff",
                                        "--ignore-submodules=dirty",
                                        "--raw",
                                        "-z",
                                        from.empty() ? kEmptyTree : from};
  if (!to.empty()) arguments.push_back(to);
  arguments.push_back("--");
  const GitAnswer answer = git(std::move(arguments));
  if (answer.code != 0) return Failure{"git diff: " + first_line(answer.error), ""};
  const std::vector<std::string> parts = split_zero(answer.out);
  std::vector<Change> out;
  for (size_t i = 0; i + 1 < parts.size(); i += 2) {  // ":100644 120000 1a2b3c4 5d6e7f8 T", path
    const std::string& what = parts[i];
    constexpr size_t kModes = 14;
    if (what.size() <= kModes) continue;
    const std::string modes = what.substr(0, kModes);
    const bool leads_elsewhere = modes.find("120000") != modes.npos || modes.find("160000") != modes.npos;
    out.push_back({what.back(), parts[i + 1], leads_elsewhere});
  }
  return out;
}

std::optional<std::string> GitTree::text(const std::string& revision, const std::string& path) const {
  // With the line ends and the encoding that .gitattributes says, as a checkout would write it.
  GitAnswer answer = git({"cat-file", "--filters", revision + ":" + path});
  if (answer.code != 0) return std::nullopt;
  return std::move(answer.out);
}

LineMap GitTree::lines(const std::string& revision, const std::string& path) const {
  return LineMap(git({"diff", "-U0", "--inter-hunk-context=0", "--no-color", "--no-ext-diff", "--no-textconv",
                      "--no-renames", revision, "--", ":(top,literal)" + path})
                     .out);
}

std::vector<std::string> GitTree::untracked_sources() const {
  std::vector<std::string> arguments = {"ls-files", "--others", "--exclude-standard", "-z", "--"};
  for (const std::string_view extension : disk::kCFamilyExtensions) arguments.push_back("*" + std::string(extension));
  return split_zero(git(std::move(arguments)).out);
}

std::set<std::string> GitTree::included_in_sources(const std::string& revision,
                                                   const std::set<std::string>& names) const {
  std::set<std::string> found;
  if (names.empty()) return found;
  std::vector<std::string> arguments = {"grep", "-h", "-o", "-I", "--no-color", "-F"};
  for (const std::string& name : names) arguments.insert(arguments.end(), {"-e", name + "\"", "-e", name + ">"});
  if (!revision.empty()) arguments.push_back(revision);
  arguments.push_back("--");
  for (const std::string_view extension : disk::kCFamilyExtensions) arguments.push_back("*" + std::string(extension));
  std::istringstream lines(git(std::move(arguments)).out);
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && names.contains(line.substr(0, line.size() - 1))) found.insert(line.substr(0, line.size() - 1));
  return found;
}

}  // namespace heddle::client
