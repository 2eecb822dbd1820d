#include "client/git/hook_files.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "server/disk/folder.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;

constexpr char kMark[] = "# heddle-hook 1";
constexpr char kBefore[] = ".before-heddle";
constexpr const char* kNames[] = {"pre-commit", "pre-merge-commit"};

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The program's line is the only one that differs between installations.
std::string body(const std::string& name, const std::string& program_line) {
  return "#!/bin/sh\n" + std::string(kMark) +
         ": written by `heddle hook install`, taken away by `heddle hook uninstall`\n" + program_line +
         "\nbefore=$(dirname \"$0\")/" + name + kBefore +
         "\nif [ -x \"$before\" ]; then \"$before\" \"$@\" || exit $?; fi\n"
         "if ! [ -x \"$heddle\" ]; then heddle=$(command -v heddle); fi\n"
         "if [ -z \"$heddle\" ]; then\n"
         "  echo 'heddle: NOT CHECKED: the program is not where it was when the hook was installed' >&2\n"
         "  exit 0\n"
         "fi\n"
         "exec \"$heddle\" hook run\n";
}

std::string program_line_in(const std::string& text) {
  const size_t begin = text.find("\nheddle=");
  return begin == text.npos ? "" : text.substr(begin + 1, text.find('\n', begin + 1) - begin - 1);
}

HookState state_of(const std::string& name, const std::string& path) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return HookState::Absent;
  const std::string text = read_text(path);
  if (text.find(kMark) == text.npos) return HookState::Other;
  return text == body(name, program_line_in(text)) ? HookState::Ours : HookState::Changed;
}

Failure cannot(const std::string& what, const std::string& path, const std::error_code& error) {
  return {"cannot " + what + " " + path + ": " + error.message(), "look at its permissions"};
}

}  // namespace

std::vector<HookFile> hook_files(const std::string& folder) {
  std::vector<HookFile> out;
  for (const char* name : kNames) {
    HookFile file{name, folder + "/" + name, HookState::Absent, false};
    file.state = state_of(name, file.path);
    std::error_code error;
    file.chains = fs::exists(file.path + kBefore, error);
    out.push_back(std::move(file));
  }
  return out;
}

std::variant<std::vector<std::string>, Failure> install_hooks(const std::string& folder, const std::string& program) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) return cannot("create", folder, error);
  const disk::Folder opened = disk::Folder::open(folder, {}, disk::Folder::Missing::Fail);
  std::vector<std::string> done;
  for (const HookFile& file : hook_files(folder)) {
    if (file.state == HookState::Changed) {
      return Failure{file.path + " is ours, but was changed", "move your lines into another hook and remove it"};
    }
    if (file.state == HookState::Other) {
      if (file.chains) {
        return Failure{"there is a hook at " + file.path + " and an earlier one at " + file.path + kBefore,
                       "keep one of them"};
      }
      fs::rename(file.path, file.path + kBefore, error);
      if (error) return cannot("rename", file.path, error);
      done.push_back(file.path + ": the hook that was there runs first, as " + file.name + kBefore);
    }
    // A new file: one that is there, or a link to nowhere, is replaced, not written through.
    if (!opened.write(file.name, body(file.name, "heddle=" + quoted(program)), 0755)) {
      return cannot("write", file.path, std::error_code(errno, std::generic_category()));
    }
    done.push_back(file.path + (file.state == HookState::Ours ? ": written again" : ": installed"));
  }
  return done;
}

std::variant<std::vector<std::string>, Failure> uninstall_hooks(const std::string& folder) {
  std::vector<std::string> done;
  for (const HookFile& file : hook_files(folder)) {
    if (file.state == HookState::Changed) {
      return Failure{file.path + " is ours, but was changed", "remove it by hand, then call this again"};
    }
    if (file.state != HookState::Ours) continue;
    std::error_code error;
    fs::remove(file.path, error);
    if (error) return cannot("remove", file.path, error);
    done.push_back(file.path + ": removed");
    if (!file.chains) continue;
    fs::rename(file.path + kBefore, file.path, error);
    if (error) return cannot("put back", file.path, error);
    done.back() = file.path + ": the hook that was there before is back";
  }
  return done;
}

}  // namespace heddle::client
