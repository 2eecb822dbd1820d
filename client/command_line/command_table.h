// The table of all commands and their options: what the parser, help, completions and man pages read.
//
// In:      the options that parsing fills in; they must outlive the table.
// Out:     CLI11's own description of commands and options. An option's type name says what completes it: FILE, PATH,
//          DIR, or its words with | between them.
// Owns:    the table.
// Threads: one.
// Fails:   never.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "client/command_line/options.h"

namespace heddle::client {

std::unique_ptr<CLI::App> make_command_table(Options& options);

}  // namespace heddle::client
