// `heddle fix`: fixes of findings that were proved before they are shown, and written if wanted.
//
// In:      the options: ids, files, the older version.
// Out:     diffs with their proofs, or JSON lines; with --apply the changed files.
// Owns:    nothing.
// Threads: one.
// Fails:   by exit code (`client/README.md`).
#pragma once

#include "client/command_line/options.h"
#include "client/command_line/output.h"
#include "client/fix/search.h"

namespace heddle::client {

int run_fix(const Options& options, const Output& output);

// The search for the fixes of one finding, as `heddle fix` makes it: texts of the project's folder, the older version
// of
// --base or of git.
std::variant<fix::Found, Failure> fixes_of(Backend& backend, const Options& options, const v1::CheckRequest& request,
                                           const v1::Finding& finding, const std::set<std::string>& open,
                                           fix::SearchOptions search);

}  // namespace heddle::client
