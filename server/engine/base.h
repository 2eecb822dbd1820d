// Reads the old version that `--base PATH` names: the same compile commands with the texts of another file or folder.
//
// In:      a project, the files that are checked, and PATH: the old text of the one file, or a folder with old texts by
//          relative path.
// Out:     overlays that turn the project's files into the old ones, sorted by path. Of a folder, 20,000 source files
//          at most.
// Owns:    nothing; values.
// Threads: one function of its arguments and the disk, callable anywhere.
// Fails:   a message with a remedy, if PATH cannot be read or holds no source file. An unreadable file of a folder is
//          left out.
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
