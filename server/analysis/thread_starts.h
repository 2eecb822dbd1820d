// What the threads of one entry function run: those of a std::thread that is given a pointer to a function start in one
// and the same function of the library, whatever the pointer.
//
// In:      the solved call graph. Out: per entry the functions called through the pointer; roles are told apart by
// them. Cost:    linear in the library's code that is reached from an entry. Owns:    nothing but results; refers to
// the builder, which must outlive it. Threads: pure. Fails:   never; callables of other kinds (a pointer to a member
// may be virtual) are not told apart.
#pragma once

#include <string>
#include <vector>

#include "server/analysis/builder.h"

namespace heddle::analysis {

class ThreadStarts {
 public:
  explicit ThreadStarts(const Builder& builder) : builder_(builder) {}

  struct Start {
    FunctionId entry;
    std::vector<FunctionId> callables;  // sorted: functions of the program that the library calls through pointers
    std::vector<bool> library;          // FunctionId -> runs before them
    bool told_apart = false;            // each is a role of its own
  };
  Start of(FunctionId entry) const;
  // Functions that a thread may run which is given this callable; sorted.
  std::vector<FunctionId> reachable(const Start& start, FunctionId callable) const;
  // For people: what runs; several that are not told apart as "producer or worker".
  std::string name(const Start& start, FunctionId callable) const;
  // Calls of the constructor that starts threads at `creation` which name the callable; none: it is not known who does.
  std::vector<CodeAddress> given_at(CodeAddress creation, FunctionId callable) const;

 private:
  const Builder& builder_;
};

}  // namespace heddle::analysis
