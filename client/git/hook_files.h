// The files of the hook: what is written into a repository's hooks folder, and what was there before.
//
// In:      a hooks folder, the path of this program.
// Out:     files; what was done, in words.
// Owns:    the hooks it wrote (they carry a mark), and the earlier hooks that it renamed to NAME.before-heddle. Its
//          hook runs the earlier one first; uninstall_hooks() restores it.
// Threads: one at a time.
// Fails:   by value; a hook of ours that a user changed is kept.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "client/link/backend.h"

namespace heddle::client {

enum class HookState : unsigned char { Absent, Ours, Other, Changed };  // Changed: ours, edited

struct HookFile {
  std::string name, path;
  HookState state = HookState::Absent;
  bool chains = false;  // an earlier hook is called first
};

std::vector<HookFile> hook_files(const std::string& folder);
std::variant<std::vector<std::string>, Failure> install_hooks(const std::string& folder, const std::string& program);
std::variant<std::vector<std::string>, Failure> uninstall_hooks(const std::string& folder);

}  // namespace heddle::client
