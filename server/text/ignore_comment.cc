#include "server/text/ignore_comment.h"

#include "server/text/lines.h"

namespace heddle::text {

bool is_comment_only(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.empty() || text.starts_with("//") || text.starts_with("/*") || text.starts_with("*");
}

bool is_date(std::string_view word) {
  if (word.size() != 10) return false;
  for (size_t i = 0; i < word.size(); ++i)
    if (i == 4 || i == 7 ? word[i] != '-' : word[i] < '0' || word[i] > '9') return false;
  return true;
}

}  // namespace heddle::text
