// `heddle nightly --slurm`: the command lines of the jobs.
//
// In:      the options; the nightly's request, complete but for `elsewhere`.
// Out:     the request with `elsewhere`. Jobs run this program, by its path, with the options that decide what is
//          explored.
// Owns:    nothing; the options must outlive the request.
// Threads: one.
// Fails:   never; a cluster that is not there is part of what `elsewhere` returns.
#pragma once

#include "client/command_line/options.h"
#include "client/nightly/nightly.h"

namespace heddle::client {

void use_slurm(const Options& options, NightlyRequest& nightly);

}  // namespace heddle::client
