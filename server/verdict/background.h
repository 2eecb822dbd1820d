// What an engine does that no client waits for, as a phase of its status.
//
// In:      the part of a check, as in `Progress.phase`, and the target.
// Out:     the phase: "background full a.c", the part and then the target; and what such a phase says.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never; another phase is none of these.
#pragma once

#include <optional>
#include <string>

namespace heddle::verdict {

struct Background {
  std::string part, target;
};
std::string phase_of(const Background& background);
std::optional<Background> background_of(const std::string& phase);

}  // namespace heddle::verdict
