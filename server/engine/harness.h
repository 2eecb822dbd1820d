// Checks drivers that the front end writes for classes and functions.
//
// In:      a CheckRequest with `harness`.
// Out:     the events of a check: a Drivers event with the text, each finding once, one verdict. No file is written, and
//          nothing is remembered.
// Owns:    nothing.
// Threads: one.
// Fails:   as run_check. A class that cannot be made is ERROR_USAGE with one message that says what it needs.
#pragma once

#include "server/engine/check.h"

namespace heddle::engine {

CheckOutcome run_harness(const v1::CheckRequest& request, const CheckServices& services);

}  // namespace heddle::engine
