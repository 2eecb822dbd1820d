// `heddle suppress`: findings that a user decides to accept, listed and undoable.
//
// In:      the options; the findings of a check.
// Out:     edits of source files or `.heddle.yaml`; what was done, in words on standard output.
// Owns:    nothing after it returns.
// Threads: one.
// Fails:   by exit code and message. Files are overwritten in place: a full disk can leave one cut short.
#pragma once

#include "client/command_line/options.h"

namespace heddle::client {

int run_suppress_add(const Options& options);
int run_suppress_remove(const Options& options);
int run_suppress_list(const Options& options);
int run_suppress_expire(const Options& options);

}  // namespace heddle::client
