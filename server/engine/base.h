// The old version of `--base PATH`: the same commands with the texts of another file or folder.
//
// In:      a project, a file (old text of the one file that is checked) or a folder (old texts by relative path).
// Out:     overlays that turn the project's files into the old ones. Threads: one.
// Fails:   a message with a remedy when PATH cannot be read or fits nothing.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "server/frontend/frontend.h"

namespace heddle::engine {

std::variant<std::vector<frontend::Overlay>, std::string> base_overlays(const frontend::Project& project,
                                                                        const std::string& base,
                                                                        const std::vector<std::string>& files);

}  // namespace heddle::engine
