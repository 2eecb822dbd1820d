// A command line becomes the request that the daemon wants: absolute paths of files that exist.
//
// In:      the parsed command line; the disk, for what it names.
// Out:     the request, complete.
// Owns:    nothing.
// Threads: the main thread.
// Fails:   with the mistake and its remedy, before anything is started.
#pragma once

#include <optional>
#include <string>

#include "client/command_line/options.h"
#include "client/link/backend.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

bool is_there(const std::string& path);
std::string current_directory();  // empty if it was removed

std::optional<Failure> make_request(const Options& options, v1::CheckRequest& request);

}  // namespace heddle::client
