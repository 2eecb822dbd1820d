#include "client/report/source_text.h"

#include <algorithm>
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

std::string SourceText::excerpt(const std::string& path, uint32_t line, uint32_t byte_column) {
  const std::vector<std::string>& all = lines(path);
  return line == 0 || line > all.size() ? "" : client::excerpt(all[line - 1], byte_column);
}

std::string excerpt(std::string_view line, uint32_t byte_column) {
  constexpr size_t kQuotedMost = 100;
  const std::string_view whole = text::trimmed(line);
  if (whole.size() <= kQuotedMost) return std::string(whole);
  const auto first = static_cast<size_t>(whole.data() - line.data());
  const auto inside = [&](size_t at) { return (static_cast<unsigned char>(whole[at]) & 0xC0) == 0x80; };
  size_t begin = byte_column > first + 1 ? std::min<size_t>(byte_column - 1 - first, whole.size() - 1) : 0;
  while (begin > 0 && inside(begin)) --begin;
  size_t end = std::min(begin + kQuotedMost, whole.size());
  while (end < whole.size() && end > begin && inside(end)) --end;
  return (begin > 0 ? "... " : "") + std::string(whole.substr(begin, end - begin)) + (end < whole.size() ? " ..." : "");
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
