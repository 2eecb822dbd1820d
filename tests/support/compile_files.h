// C and C++ files to units with the library modules they need, for tools and tests that run whole programs.
//
// In:      files and flags as on the command line.
// Out:     units, ready to be linked; empty after an error, which was printed to standard error.
// Cost:    library modules of C++ take seconds; the folder HEDDLE_LIBRARY_CACHE, if set, keeps them between runs.
#pragma once

#include <vector>

#include "server/frontend/frontend.h"
#include "server/frontend/support.h"

namespace heddle::test {

std::vector<program::UnitPtr> compile_files(const frontend::ProjectRequest& request);
// One library module, from HEDDLE_LIBRARY_CACHE if it is there; null after an error, which was printed.
program::UnitPtr compile_support(frontend::Compiler& compiler, const frontend::SupportModule& module);

}  // namespace heddle::test
