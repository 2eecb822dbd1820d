// The compile database of a project: is there one, is it current, do its files exist.
//
// In:      the project's root, the folder given by -p (or empty), whether to mend.
// Out:     lines "database" and "compiler".
// Owns:    nothing; with `fix`, and where only that is missing, CMake writes build/compile_commands.json.
// Threads: one; blocks while CMake runs.
// Fails:   by lines of state Error.
#pragma once

#include <string>

#include "client/doctor/finding_line.h"

namespace heddle::client {

// `folder`: where the user is; the root when no database was found.
DoctorLines database_lines(const std::string& root, const std::string& given, const std::string& folder, bool fix);

}  // namespace heddle::client
