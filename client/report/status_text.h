// What the daemon knows of its projects: of one in full; of several a line each, so that they fit a screen.
//
// In:      the daemon's status.
// Out:     text. Projects whose folder is gone are left out; of more than 20 the rest is counted.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
#pragma once

#include <string>

#include "client/report/terminal.h"
#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

std::string project_text(const v1::ProjectStatus& project, const Style& style, int64_t now_unix_ms);
std::string projects_text(const v1::StatusResponse& response, const Style& style, int64_t now_unix_ms);

}  // namespace heddle::client
