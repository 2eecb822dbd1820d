// What each command does.
//
// In:      the parsed command line.
// Out:     the exit code of the process; results on standard output or in a file, messages on standard error.
// Owns:    nothing after it returns.
// Threads: the main thread, which makes helper threads and joins them. `heddle lsp` replaces the process.
// Fails:   by exit code, with a message.
#pragma once

#include "client/command_line/options.h"

namespace heddle::client {

int run_command(const Options& options);

}  // namespace heddle::client
