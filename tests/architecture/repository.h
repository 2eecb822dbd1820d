// The files of the repository, for tests that read them as text.
//
// In:      the sources under HEDDLE_SOURCE_DIR.
// Out:     paths relative to it, sorted; texts.
// Owns:    nothing.
// Threads: any.
// Fails:   never; a file that cannot be read is empty.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace heddle::architecture {

namespace fs = std::filesystem;

inline const fs::path kRoot = HEDDLE_SOURCE_DIR;

inline std::string read_text(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::stringstream stream(read_text(path));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Files of our own with one of these extensions (none: all), relative to the root, sorted.
inline std::vector<fs::path> sources(const std::set<std::string>& folders, const std::set<std::string>& extensions) {
  const auto generated = [](const std::string& name) {
    return name == "node_modules" || name.rfind("build", 0) == 0 || name == "out" || name == "dist" || name == ".git" ||
           name == ".cache";
  };
  std::vector<fs::path> found;
  for (const std::string& folder : folders) {
    if (!fs::exists(kRoot / folder)) continue;
    for (auto it = fs::recursive_directory_iterator(kRoot / folder); it != fs::recursive_directory_iterator(); ++it) {
      const std::string name = it->path().filename();
      if (it->is_directory() && generated(name)) {
        it.disable_recursion_pending();
      } else if (it->is_regular_file() && (extensions.empty() || extensions.count(it->path().extension()))) {
        found.push_back(it->path().lexically_relative(kRoot));
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace heddle::architecture
