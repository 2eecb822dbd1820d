// The unknown inputs that a finding names, for a machine that is to take these.
//
// In:      a finding.
// Out:     its inputs' values, by their numbers. None: the finding has no inputs.
// Owns:    the values.
// Threads: pure function, callable anywhere.
// Fails:   never.
#pragma once

#include <memory>

#include "heddle/v1/heddle.pb.h"
#include "server/explore/explore.h"

namespace heddle::engine {

inline std::shared_ptr<const machine::GivenValues> given_values(const v1::Finding& finding) {
  auto values = std::make_shared<machine::GivenValues>();
  for (int n = 0; n + 1 < finding.input_values_size(); n += 2)
    values->emplace(finding.input_values(n), finding.input_values(n + 1));
  return values;
}

}  // namespace heddle::engine
