// What each command does. Returns the exit code of the process.
#pragma once

#include "client/options.h"

namespace heddle::client {

int run_command(const Options& options);

}  // namespace heddle::client
