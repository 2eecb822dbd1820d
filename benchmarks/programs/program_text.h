// The files of a benchmark program, their text, and what the header comment says.
//
// In:      a folder; a file; a key of the header comment.
// Out:     the C units of the program NAME in the folder NAME, NAME.c first, none without it; a file's text, empty if it
//          cannot be read; the words behind `// KEY:`.
// Owns:    values.
// Threads: pure functions.
// Fails:   never; a key that is not there has no words.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace heddle::bench {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::vector<std::filesystem::path> units_of(const std::filesystem::path& folder) {
  const std::filesystem::path main = folder / (folder.filename().string() + ".c");
  std::vector<std::filesystem::path> units;
  if (!std::filesystem::exists(main)) return units;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".c" && entry.path() != main) units.push_back(entry.path());
  std::sort(units.begin(), units.end());
  units.insert(units.begin(), main);
  return units;
}

inline std::vector<std::string> header_words(const std::string& text, const std::string& key) {
  const std::string begin = "\n// " + key + ":";
  const size_t at = text.find(begin);
  if (at == std::string::npos) return {};
  const size_t words = at + begin.size();
  std::istringstream line(text.substr(words, text.find('\n', words) - words));
  return {std::istream_iterator<std::string>(line), {}};
}

}  // namespace heddle::bench
