// Paths as a build writes them, which may be relative to the folder that a command runs in.
//
// In:      a path; the folder.
// Out:     the same path, absolute, without "." and "..".
// Owns:    nothing; values.
// Threads: pure function, callable anywhere.
// Fails:   never. Symbolic links are not followed, the file need not exist.
#pragma once

#include <filesystem>
#include <string>

namespace heddle::frontend {

inline std::string absolute_path(const std::filesystem::path& path, const std::filesystem::path& folder) {
  return (path.is_absolute() ? path : folder / path).lexically_normal().string();
}

}  // namespace heddle::frontend
