// Declarations in a text: where a variable is declared, and where a new one, or an include, can be put.
//
// In:      a source.
// Out:     places, and drafts with more declarations.
// Owns:    values.
// Threads: pure functions.
// Fails:   by value: none, if there is no such declaration.
#pragma once

#include <optional>
#include <string>

#include "client/fix/draft.h"
#include "client/fix/lock_calls.h"

namespace heddle::client::fix {

struct Declaration {
  NodeId statement = kNoNode;
  size_t type = 0;  // where the type begins, after "static" and its like
  size_t name = 0;
};
// Of a variable or member with that last name: outside of functions, unless `scope` is one.
std::optional<Declaration> declaration_of(const Source& source, const std::string& name, NodeId scope = kNoNode);

struct NewLock {
  LockCall model;
  std::string include, declaration;
};
NewLock new_lock(const Source& source, const std::string& object, bool cpp);

// At file scope, before the first function; the include only if it is not there.
void declare(Draft& draft, const std::string& include, const std::string& declaration);

}  // namespace heddle::client::fix
