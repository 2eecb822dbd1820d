// Functions that the threads of a role may run. A thread calls through a pointer what it has taken the address of, or
// what comes to it through memory that outlives functions or another thread may write: a std::function on the stack of
// one thread is not called by the others.
//
// In:      the solved call graph and points-to sets; what a thread begins with. Out: sorted functions.
// Cost:    linear in the code that is reached, per role. Owns: nothing but results; refers to the builder, which must
// outlive it. Threads: one (keeps what it has found). Fails: never; where pointers may come from is over-approximated.
#pragma once

#include <vector>

#include "server/analysis/builder.h"

namespace heddle::analysis {

// The part of a library's code through which a thread comes to what it was given to run.
struct Start {
  FunctionId entry;
  std::vector<FunctionId> callables = {};     // sorted: one of them is run, at most once; none: not told apart
  std::vector<bool> by_pointer = {};          // by callable: nothing in the library calls it by its name
  std::vector<std::vector<bool>> leads = {};  // by callable: FunctionId -> may be on the way to it
  bool may_run(FunctionId f) const;           // is it one of the callables?
  size_t index_of(FunctionId callable) const;
  bool leads_anywhere(FunctionId f) const;  // on the way to any
  bool leads_to(size_t callable, FunctionId f) const { return leads[callable][f.value]; }
};

class RoleCode {
 public:
  explicit RoleCode(const Builder& builder);

  std::vector<FunctionId> from(const std::vector<FunctionId>& roots) const;
  // Calls that a thread with this entry makes in the library before any code of the project runs; sorted.
  std::vector<Builder::CallEdge> starting(FunctionId entry) const;
  // Of the callables of the start only this one; none: any.
  std::vector<FunctionId> from(const Start& start, FunctionId callable) const;

 private:
  struct Walk;
  void step(Walk& walk, FunctionId f, bool starting) const;
  void follow(Walk& walk, const Builder::CallEdge& edge, bool starting) const;
  std::vector<FunctionId> finish(Walk& walk) const;
  const std::vector<FunctionId>& named_in(FunctionId f) const;

  const Builder& builder_;
  std::vector<bool> carried_;  // FunctionId -> its address may lie where another thread or a later call finds it
  mutable std::vector<std::vector<FunctionId>> named_;  // FunctionId -> functions whose address it takes
  mutable std::vector<bool> looked_at_;
};

// A call through which a std::__invoke calls what it was given.
bool invokes(const Builder& builder, const Builder::CallEdge& edge);

}  // namespace heddle::analysis
