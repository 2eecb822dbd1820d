// Lines of the source files that a report quotes, and columns as other tools count them.
//
// In:      absolute paths; lines from 1, columns in bytes from 1.
// Out:     text; columns in UTF-16 units from 1.
// Owns:    a copy of each file's text, read once, at the first question about the file.
// Threads: one at a time.
// Fails:   never; a file that cannot be read has no lines.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::client {

class SourceText {
 public:
  const std::vector<std::string>& lines(const std::string& path);
  // The line as it is quoted (excerpt); empty if there is none.
  std::string excerpt(const std::string& path, uint32_t line, uint32_t byte_column);
  // Heddle counts columns in bytes from 1, as Clang does; others in UTF-16 units from 1. 0 stays 0.
  uint32_t utf16_column(const std::string& path, uint32_t line, uint32_t byte_column);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

uint32_t utf16_column(std::string_view line, uint32_t byte_column);
// The line without the space around it; of a long one the part that begins at the column, between "...".
std::string excerpt(std::string_view line, uint32_t byte_column);

}  // namespace heddle::client
