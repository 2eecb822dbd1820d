// Computes the functions that the threads of a role may run. A thread calls through a pointer only functions whose
// address it takes itself, or finds in memory that outlives functions or that another thread may write.
//
// In:      the solved call graph and points-to sets; the functions with which a thread begins.
// Out:     sorted functions.
// Cost:    linear in the reached code, per role.
// Owns:    its tables; refers to the builder, which must outlive it.
// Threads: one, because const members keep what they found.
// Fails:   never; it over-approximates where a pointer may come from.
#pragma once

#include <vector>

#include "server/analysis/builder.h"

namespace heddle::analysis {

// The library code through which a thread reaches the function that it was given to run.
struct Start {
  FunctionId entry;
  std::vector<FunctionId> callables = {};     // sorted: a thread runs one, at most once; empty: not distinguished
  std::vector<bool> by_pointer = {};          // by callable: the library calls it through pointers only
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
  // What a thread of this start runs if its callable is this one; none: any of them.
  std::vector<FunctionId> from(const Start& start, FunctionId callable) const;

 private:
  struct Walk;
  void step(Walk& walk, FunctionId f, bool starting) const;
  void follow(Walk& walk, const Builder::CallEdge& edge, bool starting) const;
  std::vector<FunctionId> finish(Walk& walk) const;
  const std::vector<FunctionId>& named_in(FunctionId f) const;

  const Builder& builder_;
  std::vector<bool> carried_;  // FunctionId -> another thread or a later call may find its address
  mutable std::vector<std::vector<FunctionId>> named_;  // FunctionId -> functions whose address it takes
  mutable std::vector<bool> looked_at_;
};

// True for a call by which std::__invoke runs a function of the project.
bool invokes(const Builder& builder, const Builder::CallEdge& edge);

}  // namespace heddle::analysis
