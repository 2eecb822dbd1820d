// Whether a finding of what is staged has a fix that can be proved in the time that a hook has left.
//
// In:      the request that found it: texts of the index, and those of the commit before.
// Out:     true: some candidate was proved, so that `heddle fix` shows one.
// Cost:    trial checks, for the given seconds at most.
// Owns:    nothing.
// Threads: one; blocks.
// Fails:   never; what cannot be tried has no fix.
#pragma once

#include "client/link/backend.h"

namespace heddle::client {

struct ToldFinding {
  v1::Finding finding;
  v1::CheckRequest request;
};
bool has_proved_fix(Backend& backend, const ToldFinding& told, double seconds);

}  // namespace heddle::client
