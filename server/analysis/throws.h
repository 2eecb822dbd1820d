// Which calls an exception may leave.
//
// In:      a linked program.
// Out:     per function, whether a throw in it or below it may come out; per call likewise. Handlers are not looked
//          into: what a function throws counts although it may catch it.
// Cost:    linear in the code, once per program: the result of the latest program is kept.
// Owns:    the kept result. Threads: any; each keeps its own.
// Fails:   never; calls through pointers may throw as soon as anything in the program does.
#pragma once

#include <vector>

#include "server/program/program.h"

namespace heddle::analysis {

class Throws {
 public:
  explicit Throws(const program::Program& program);
  bool may_throw(program::FunctionId function) const { return functions_[function.value]; }
  bool may_throw(program::FunctionId caller, const program::Instruction& call) const;
  bool raises(program::FunctionId caller, const program::Instruction& call) const;  // is it a throw itself?
  static const Throws& of(const program::Program& program);

 private:
  const program::Program* program_;
  program::Hash content_;
  std::vector<bool> functions_;
  std::vector<bool> externals_;
  bool any_ = false, cancels_ = false;  // threads are cancelled: any call of the library may be the end of one
};

}  // namespace heddle::analysis
