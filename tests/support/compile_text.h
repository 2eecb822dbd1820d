// C and C++ text to units and linked programs, for tests of every stage after the front end.
//
// In:      text of one or several files; they need not exist on disk.
// Out:     units; a linked program. Compilers are kept, so that a test binary pays for a preamble once per path.
// Fails:   throws std::runtime_error with the diagnostics when the text does not compile.
#pragma once

#include <string>
#include <vector>

#include "server/program/program.h"

namespace heddle::test {

program::UnitPtr compile_text(const std::string& text, const std::string& path = "/heddle-test/test.c",
                              const std::vector<std::string>& flags = {});
program::ProgramPtr program_of(const std::string& text);                // one unit, linked
program::ProgramPtr program_of(const std::vector<std::string>& texts);  // /heddle-test/test0.c, test1.c ...

// C++20, with what it needs of the library; HEDDLE_LIBRARY_CACHE, if set, keeps library modules between runs.
program::ProgramPtr program_of_cxx(const std::string& text);

}  // namespace heddle::test
