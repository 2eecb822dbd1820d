// Was the version that `--base`, `--since` or a commit hook compares with built and explored in another way?
//
// In:      a request with a base, its project, the settings files of the check.
// Out:     names, relative to the root, of what differs and is no part of a program's text: the compile commands,
//          response files, settings, descriptions of the build. The texts of such a base are compiled with today's
//          commands and settings, so the comparison with it would prove nothing.
// Owns:    nothing; values.
// Threads: reads the disk; callable anywhere.
// Fails:   never; what a folder given to `--base` lacks counts as equal, for its texts may have been copied alone.
#pragma once

#include <string>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/frontend/frontend.h"

namespace heddle::engine {

std::vector<std::string> changed_build(const v1::CheckRequest& request, const frontend::Project& project,
                                       const std::vector<std::string>& settings_files);

}  // namespace heddle::engine
