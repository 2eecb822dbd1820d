// The text of a benchmark program, and what its header comment says.
//
// In:      a file; a key of the header comment.
// Out:     its text, empty if it cannot be read; the words behind `// KEY:`.
// Owns:    values.
// Threads: pure functions.
// Fails:   never; a key that is not there has no words.
#pragma once

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

inline std::vector<std::string> header_words(const std::string& text, const std::string& key) {
  const std::string begin = "\n// " + key + ":";
  const size_t at = text.find(begin);
  if (at == std::string::npos) return {};
  const size_t words = at + begin.size();
  std::istringstream line(text.substr(words, text.find('\n', words) - words));
  return {std::istream_iterator<std::string>(line), {}};
}

}  // namespace heddle::bench
