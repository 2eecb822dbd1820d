// What the threads of one entry function run: those of a std::thread that is given a pointer to a function start in one
// and the same function of the library, whatever the pointer; so do those of std::async, and those that are given a
// std::packaged_task or a std::function.
//
// In:      the solved call graph. Out: per entry the functions that std::__invoke calls; roles are told apart by them
// where a thread can come to one of them only, and that once.
// Cost:    linear in the library's code that is reached from an entry. Owns:    nothing but results; refers to
// the builder, which must outlive it. Threads: pure. Fails:   never; entries of which a thread may run several
// callables (std::for_each, nested std::bind) are not told apart.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "server/analysis/role_code.h"

namespace heddle::analysis {

class ThreadStarts {
 public:
  ThreadStarts(const Builder& builder, const RoleCode& code) : builder_(builder), code_(code) {}

  Start of(FunctionId entry) const;
  // For people: what runs; several that are not told apart as "producer or worker".
  std::string name(const Start& start, FunctionId callable) const;
  // How many threads of the start run each of its callables, 2 for several; `times` is how often a call is made.
  std::vector<uint32_t> instances(const Start& start, CodeAddress creation,
                                  const std::function<uint32_t(CodeAddress)>& times) const;

 private:
  struct Givers;
  bool one_way(const Start& start, const std::vector<Builder::CallEdge>& edges, FunctionId f) const;
  Givers givers(CodeAddress creation) const;
  uint32_t creations_of(Givers& givers, FunctionId f, CodeAddress creation) const;
  std::vector<bool> elsewhere(const Givers& givers) const;
  std::vector<bool> given_by(const Start& start, const std::vector<bool>& elsewhere, CodeAddress call) const;

  const Builder& builder_;
  const RoleCode& code_;
};

}  // namespace heddle::analysis
