// What a unit depends on: the files that its compile read, and what the compile looked for and did not find.
//
// In:      the file system, for folder_state.
// Out:     paths, hashes of contents, states of folders. Times in nanoseconds since 1970.
// Owns:    copies of what it names.
// Threads: values; any.
// Fails:   never; a folder that cannot be read has no state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/program/hash.h"

namespace heddle::frontend {

struct Dependency {  // a file the compile read, other than the main file
  std::string path;
  program::Hash content;
  bool system = false;
  std::string file{};  // if `path` is a name from the text that leads through a link: the file itself
};

// A folder's state before a compile looked for names in it and missed them. While the state is the same, they are still
// missing. Times in nanoseconds; both zero: the state proves nothing.
struct FolderState {
  std::string path;
  int64_t modified_ns = 0, changed_ns = 0;
  uint64_t inode = 0, device = 0;
  bool operator==(const FolderState&) const = default;
};
std::optional<FolderState> folder_state(const std::string& path);  // nothing: there is none

// What the compile looked for and did not find. If one of these exists now, the unit may be another.
struct Absent {
  std::vector<FolderState> folders;
  std::vector<std::string> names;  // in each of the folders; with a slash at the end: a folder exists, and no file
};

}  // namespace heddle::frontend
