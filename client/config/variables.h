// The environment variables that Heddle reads.
//
// In:      nothing.
// Out:     name, default and meaning of each.
// Owns:    constant text.
// Threads: any.
// Fails:   never.
#pragma once

#include <vector>

namespace heddle::client {

struct Variable {
  const char *name, *otherwise, *meaning;  // otherwise: the default, in words if it is no number
};
const std::vector<Variable>& variables();

}  // namespace heddle::client
