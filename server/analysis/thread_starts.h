// Finds what the threads of one library entry run. All std::threads that receive a pointer to a function start in the
// same library function; so do those of std::async, and those that receive a std::packaged_task or a std::function.
//
// In:      the solved call graph, and the code that each thread reaches.
// Out:     per entry, the project functions that std::__invoke calls. Each becomes a role of its own if a thread
//          reaches exactly one of them, exactly once (context sensitivity for thread starts).
// Cost:    linear in the library code that an entry reaches.
// Owns:    nothing; refers to the builder and the role code, which must outlive it.
// Threads: one, as RoleCode.
// Fails:   never; the callables of an entry are not distinguished if one thread may run several of them (std::for_each,
//          nested std::bind).
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
  // For people: what runs; callables that are not distinguished print as "producer or worker".
  std::string name(const Start& start, FunctionId callable) const;
  // How many threads of this creation run each callable of the start, 2 for several; `times`: how often a call runs.
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
