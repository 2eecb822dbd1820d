// Finds the static constructors by which a file registers its test cases with a framework's own code: files that are
// compiled without Heddle's model of the framework, because the model lacks something.
//
// In:      a unit.
// Out:     whether it registers cases with GoogleTest, Catch2, doctest or Boost.Test; the unit without that, and
//          without a main() that is the framework's. Its other static constructors stay.
// Cost:    linear in the unit.
// Owns:    nothing; shares the unit where it registers no case.
// Threads: pure functions, callable anywhere.
// Fails:   never.
#pragma once

#include "server/program/unit.h"

namespace heddle::frontend {

bool registers_cases(const program::Unit& unit);
program::UnitPtr without_registrations(const program::UnitPtr& unit);

}  // namespace heddle::frontend
