#include "server/explore/role_threads.h"

#include <algorithm>

namespace heddle::explore {

using machine::Machine;
using machine::ThreadId;

RoleThreads::RoleThreads(const analysis::Facts* facts, analysis::RoleId role) {
  if (facts == nullptr || !role.valid() || role.value >= facts->roles.size()) return;
  entry_ = facts->roles[role.value].entry;
  callable_ = facts->roles[role.value].callable;
  // Two roles of one entry function differ in who starts them, or in what they are given.
  for (size_t n = 0; n < facts->roles.size(); ++n) {
    if (n == role.value || facts->roles[n].entry != entry_) continue;
    created_at_ = facts->roles[role.value].created_at;
    others_.push_back(facts->roles[n].callable);
  }
}

ThreadId RoleThreads::find(const Machine& machine, uint32_t instance) const {
  if (!entry_.valid()) return {};
  for (uint32_t n = 0; n < machine.thread_count(); ++n)
    if (contains(machine, ThreadId(n)) && instance-- == 0) return ThreadId(n);
  return {};
}

bool RoleThreads::contains(const Machine& machine, ThreadId thread) const {
  if (!entry_.valid() || machine.entry_function(thread) != entry_) return false;
  if (callable_.valid() && is_given_other(machine, thread)) return false;
  return created_at_.empty() ||
         std::find(created_at_.begin(), created_at_.end(), machine.created_at(thread)) != created_at_.end();
}

bool RoleThreads::is_given_other(const Machine& machine, ThreadId thread) const {
  const auto given = machine.given_functions(thread);
  const auto is_given = [&](program::FunctionId f) { return std::find(given.begin(), given.end(), f) != given.end(); };
  return !is_given(callable_) && std::any_of(others_.begin(), others_.end(), is_given);
}

}  // namespace heddle::explore
