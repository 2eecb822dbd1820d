// What is not checking: the cache of a project, and what the report of a problem needs.
//
// In:      the options; an engine's or the daemon's status, the environment, the log.
// Out:     text; exit codes as of all commands. Clearing stops the daemon, and keeps the nightly records, which nothing
//          can compute again.
// Owns:    nothing after it returns.
// Threads: one.
// Fails:   by message and exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/command_line/options.h"
#include "client/command_line/output.h"

namespace heddle::client {

int run_cache_stat(const Options& options);
int run_cache_clear(const Options& options);
int run_rage(const Options& options, const Output& output);

// Nothing: there is no such file.
std::optional<std::vector<std::string>> last_lines(const std::string& path, size_t count);

}  // namespace heddle::client
