#include "server/text/lines.h"

#include <algorithm>

namespace heddle::text {

std::vector<std::string_view> lines_with_ends(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n"), end = text.find_last_not_of(" \t\r\n");
  return begin == text.npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

}  // namespace heddle::text
