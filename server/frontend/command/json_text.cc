#include "server/frontend/command/json_text.h"

#include "server/disk/read.h"

namespace heddle::frontend {

bool is_nested_deeper(std::string_view json, size_t most) {
  size_t depth = 0;
  bool quoted = false;
  for (size_t n = 0; n < json.size(); ++n) {
    const char c = json[n];
    if (quoted && c == '\\')
      ++n;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++depth > most)
      return true;
    else if (!quoted && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

std::optional<llvm::json::Value> read_json(const std::string& path, uint64_t bytes_most, std::string& problem) {
  const std::optional<std::string> text = disk::read_regular(path, bytes_most, &problem);
  if (!text) return std::nullopt;
  if (is_nested_deeper(*text, kNestedMost)) {
    problem = "is nested too deeply";
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(*text);
  if (parsed) return std::move(*parsed);
  problem = "is not JSON: " + llvm::toString(parsed.takeError());
  return std::nullopt;
}

}  // namespace heddle::frontend
