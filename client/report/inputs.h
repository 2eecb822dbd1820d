// What the program was given on the path of a finding, for programs that read it.
//
// In:      a finding with its interleaving.
// Out:     an array: `kind`, `name`, `value` (a text as in a C literal; null: the variable is not set), `shown` (a
//          value as its type has it, where that is not `value`), and of a value that a call returned its place and
//          thread. What the settings leave no choice about is not in it.
// Owns:    nothing.
// Threads: pure function.
// Fails:   never; empty for a finding without an interleaving.
#pragma once

#include <nlohmann/json.hpp>

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

nlohmann::ordered_json inputs_of(const v1::Finding& finding);

}  // namespace heddle::client
