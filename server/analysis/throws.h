// Decides which calls an exception may leave.
//
// In:      a linked program.
// Out:     per function and per call, whether a throw in it or below it may leave it. Handlers are ignored: what a
//          function throws counts although it may catch it.
// Cost:    linear in the code, once per program: of() keeps the result for the latest program.
// Owns:    its tables; refers to the program, which must outlive it.
// Threads: any; of() keeps one result per thread, and its reference is valid until the thread asks about another
//          program.
// Fails:   never; calls through pointers may throw if anything in the program does.
#pragma once

#include <vector>

#include "server/program/program.h"

namespace heddle::analysis {

class Throws {
 public:
  explicit Throws(const program::Program& program);
  bool may_throw(program::FunctionId function) const { return functions_[function.value]; }
  bool may_throw(program::FunctionId caller, const program::Instruction& call) const;
  bool raises(program::FunctionId caller, const program::Instruction& call) const;  // is the call itself a throw?
  static const Throws& of(const program::Program& program);

 private:
  const program::Program* program_;
  program::Hash content_;
  std::vector<bool> functions_;
  std::vector<bool> externals_;
  bool any_ = false, cancels_ = false;  // cancels_: threads are cancelled, so any library call may be the end of one
};

}  // namespace heddle::analysis
