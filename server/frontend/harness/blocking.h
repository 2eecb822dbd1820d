// Whether a call may wait for what another call does: by the names that its code calls, and by its loops.
//
// In:      functions.
// Out:     true also where a body is not in this text, as nothing is known of it.
// Cost:    a walk over the bodies that they reach in the project.
// Owns:    what was visited.
// Threads: the thread that parses.
// Fails:   never; it says yes where it does not know.
#pragma once

#include <clang/AST/Decl.h>

#include <set>

namespace heddle::frontend::harness {

class Blocking {
 public:
  bool may_block(const clang::FunctionDecl& function);
  // Whether a loop over what `begin` returns may wait: by the operators of the iterator's class.
  bool may_block_in_loop(const clang::FunctionDecl& begin);

 private:
  bool unknown_ = false;  // some visited body calls what the arguments of a template decide
  std::set<const clang::FunctionDecl*> seen_;
};

}  // namespace heddle::frontend::harness
