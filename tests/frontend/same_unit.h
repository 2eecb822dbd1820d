// Two ways to one unit.
#pragma once

#include "server/frontend/frontend.h"

namespace heddle::frontend {

// Fails the test unless both compiles say the same and their units are the same, whatever the order of their parts.
void expect_equal(const CompileResult& made, const CompileResult& as_written);

}  // namespace heddle::frontend
