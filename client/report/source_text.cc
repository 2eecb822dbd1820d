#include "client/report/source_text.h"

#include <fstream>

#include "server/disk/utf8_name.h"
#include "server/text/lines.h"

namespace heddle::client {

const std::vector<std::string>& SourceText::lines(const std::string& path) {
  const auto [entry, fresh] = files_.try_emplace(path);
  if (!fresh) return entry->second;
  std::ifstream file(disk::file_of_name(path));
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    entry->second.push_back(std::move(line));
  }
  return entry->second;
}

std::string SourceText::trimmed(const std::string& path, uint32_t line) {
  const std::vector<std::string>& all = lines(path);
  if (line == 0 || line > all.size()) return "";
  return std::string(text::trimmed(all[line - 1]));
}

uint32_t SourceText::utf16_column(const std::string& path, uint32_t line, uint32_t byte_column) {
  const std::vector<std::string>& all = lines(path);
  return line == 0 || line > all.size() ? byte_column : client::utf16_column(all[line - 1], byte_column);
}

uint32_t utf16_column(std::string_view line, uint32_t byte_column) {
  if (byte_column == 0) return 0;
  uint32_t units = 0;
  for (size_t n = 0; n + 1 < byte_column && n < line.size(); ++n) {
    const auto byte = static_cast<unsigned char>(line[n]);
    if ((byte & 0xC0) == 0x80) continue;  // not the first byte of its character
    units += byte >= 0xF0 ? 2 : 1;        // beyond U+FFFF: a pair
  }
  return units + 1;
}

}  // namespace heddle::client
