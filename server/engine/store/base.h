// Reads the old version that `--base PATH` names: the same compile commands with the texts of another file or folder.
//
// In:      a project, the files that are checked, and PATH: the old text of the one file, or a folder with old texts by
//          relative path.
// Out:     overlays that turn the project's files into the old ones, sorted by path, and what is missing among them. Of
//          a folder, the first 20,000 source files by path; a source that it lacks is absent, unless it is built.
// Owns:    nothing; values.
// Threads: one function of its arguments and the disk, callable anywhere.
// Fails:   a message with a remedy, if PATH cannot be read or holds no source file. What of a folder cannot be read, or
//          is more than that, is in left_out: an edit there was not seen.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "server/frontend/frontend.h"

namespace heddle::engine {

struct BaseTexts {
  std::vector<frontend::Overlay> overlays;
  std::vector<std::string> left_out;  // sentences
};

std::variant<BaseTexts, std::string> base_texts(const frontend::Project& project, const std::string& base,
                                                const std::vector<std::string>& files);

}  // namespace heddle::engine
