#include "client/doctor/machine_lines.h"

#include <fstream>
#include <iterator>

#include "client/git/git.h"
#include "client/git/hook_files.h"
#include "client/link/daemon_link.h"
#include "server/daemon/paths.h"

namespace heddle::client {
namespace {

std::string words_of(const DaemonFacts& facts) {
  return "heddled " + facts.version + ", process " + std::to_string(facts.pid) + ", " + facts.socket;
}

DoctorLine hook_line(const GitTree& git, bool fix) {
  const std::string folder = git.hooks_folder();
  bool ours = true, changed = false, absent = true;
  for (const HookFile& file : hook_files(folder)) {
    ours &= file.state == HookState::Ours;
    changed |= file.state == HookState::Changed;
    absent &= file.state == HookState::Absent;
  }
  if (ours) return {"hook", LineState::Ok, "installed in " + folder, ""};
  if (changed)
    return {"hook", LineState::Warning, "installed in " + folder + ", and edited since",
            "move your lines into another hook, remove it, and install it again"};
  const std::string message = absent ? "commits are not checked" : "another hook is there; heddle is not called";
  DoctorLine line{"hook", LineState::Warning, message, "`heddle hook install` (an earlier hook runs first)", absent};
  if (!fix || !absent) return line;
  const auto done = install_hooks(folder, daemon::binary_directory() + "/heddle");
  if (const auto* failure = std::get_if<Failure>(&done))
    return {"hook", LineState::Error, failure->message, failure->remedy};
  return {"hook", LineState::Ok, "installed in " + folder, "", true, true};
}

}  // namespace

DoctorLine daemon_line(bool fix) {
  const auto running = running_daemon();
  if (const auto* failure = std::get_if<Failure>(&running))
    return {"daemon", LineState::Error, failure->message, failure->remedy};
  const auto& facts = std::get<std::optional<DaemonFacts>>(running);
  if (!facts) return {"daemon", LineState::Ok, "none runs now; the next check starts one", ""};
  if (facts->build == std::to_string(daemon::build_number())) return {"daemon", LineState::Ok, words_of(*facts), ""};
  const std::string message = words_of(*facts) + ", of another build";
  if (!fix)
    return {"daemon", LineState::Warning, message, "`heddle daemon restart` (the next check replaces an older one)",
            true};
  if (const auto stopped = stop_daemon(); const auto* failure = std::get_if<Failure>(&stopped))
    return {"daemon", LineState::Error, failure->message, failure->remedy};
  const auto started = start_daemon();
  if (const auto* failure = std::get_if<Failure>(&started))
    return {"daemon", LineState::Error, failure->message, failure->remedy};
  return {"daemon", LineState::Ok, words_of(std::get<DaemonFacts>(started)), "", true, true};
}

DoctorLine sandbox_line() {
  std::ifstream file("/proc/sys/kernel/seccomp/actions_avail");
  const std::string actions{std::istreambuf_iterator<char>(file), {}};
  if (actions.find("errno") != actions.npos && actions.find("kill_process") != actions.npos)
    return {"sandbox", LineState::Ok, "the kernel has seccomp", ""};
  return {"sandbox", LineState::Warning, "the kernel does not say that it has seccomp",
          "check other authors' code in a container or a virtual machine only"};
}

DoctorLines git_lines(const std::string& folder, bool fix) {
  const GitAnswer answer = run_git(folder, {"--version"});
  if (!answer.remedy.empty()) return {{"git", LineState::Warning, answer.error, answer.remedy}};
  std::string version = answer.out.substr(0, answer.out.find('\n'));
  const auto tree = GitTree::at(folder);
  if (std::holds_alternative<Failure>(tree))
    return {{"git", LineState::Ok, version + "; this folder is in no work tree, so there are no commits to check", ""}};
  return {{"git", LineState::Ok, version, ""}, hook_line(std::get<GitTree>(tree), fix)};
}

}  // namespace heddle::client
