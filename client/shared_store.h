// The store that a team shares: writing it, and choosing the one that is read.
//
// In:      the options: a path, for `export` also a project.
// Out:     the store with what is known of the project's targets; the user's choice, in the state folder. Text.
// Owns:    nothing after it returns.
// Threads: one.
// Fails:   by message and exit code. A target that was not judged is named; the others are exported.
#pragma once

#include "client/command_line/options.h"

namespace heddle::client {

int run_cache_export(const Options& options);
int run_cache_use(const Options& options);

}  // namespace heddle::client
