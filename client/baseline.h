// `heddle baseline`: findings that were there before are counted and not reported again.
//
// In:      the options; the findings of a check of the whole project, or of the files that are named.
// Out:     `.heddle.baseline` in the project's root; what it holds, in words on standard output.
// Owns:    nothing after it returns.
// Threads: one.
// Fails:   by exit code and message; a file that cannot be read is a usage error and stays as it is.
#pragma once

#include "client/command_line/options.h"

namespace heddle::client {

int run_baseline_set(const Options& options);
int run_baseline_show(const Options& options);
int run_baseline_clear(const Options& options);

}  // namespace heddle::client
