// How a text takes and releases its locks, and critical sections written in the same way.
//
// In:      sources.
// Out:     the statements that lock and unlock; drafts with more of them.
// Owns:    values.
// Threads: pure functions.
// Fails:   by value: false, if the statements cannot be put into a critical section.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/fix/situation.h"

namespace heddle::client::fix {

enum class LockAction : uint8_t { Take, TakeRead, Release, Guard, Try };

struct LockCall {
  NodeId statement = kNoNode;
  LockAction action = LockAction::Take;
  std::string family;    // "pthread_mutex", "mtx", "pthread_rwlock", "pthread_spin"; "": a C++ member or guard
  std::string argument;  // as it is written: "&m", "mutex_"
  std::string guard;     // "std::lock_guard<std::mutex>"
};

std::optional<LockCall> lock_call_of(const Source& source, NodeId statement);
std::vector<LockCall> lock_calls_in(const Source& source);
std::vector<LockCall> lock_calls_in(const Source& source, NodeId scope);
bool is_of_lock(const LockCall& call, const std::string& lock);  // by the last name
// How the texts of the situation take the lock with that name.
std::optional<LockCall> model_of(const Situation& situation, const std::string& lock);

std::string take_text(const LockCall& model, const std::string& guard_name = "guard");
std::string release_text(const LockCall& model);
// What the locks of these families are called in the other way of taking them.
LockCall as_writer(LockCall model);

// The statement before an exit of its function; after the evaluation of what is returned. False: no type for that
// value.
bool before_exit(Draft& draft, NodeId exit, const std::string& statement);
bool declares(const Source& source, NodeId statement);
// Puts the statements from first to last, which belong to one block, into a critical section: as the model does it,
// left at every exit.
bool guard_statements(Draft& draft, NodeId first, NodeId last, const LockCall& model);

}  // namespace heddle::client::fix
