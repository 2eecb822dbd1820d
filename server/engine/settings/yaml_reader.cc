#include "server/engine/settings/yaml_reader.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace heddle::engine {

namespace {

size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

std::string one_of(const std::vector<std::string>& words) {
  std::string text;
  for (size_t n = 0; n < words.size(); ++n)
    text += (n == 0 ? "" : n + 1 == words.size() ? " or " : ", ") + ("'" + words[n] + "'");
  return text;
}

}  // namespace

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& words) {
  std::optional<std::string> best;
  size_t least = std::max<size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : words) {
    const size_t distance = edit_distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

void YamlReader::fail(const YAML::Node& at, const std::string& message, const std::string& remedy) const {
  const YAML::Mark mark = at.Mark();
  const bool known = !mark.is_null();
  throw SettingsError{file_,
                      known ? static_cast<uint32_t>(mark.line + 1) : 0,
                      known ? static_cast<uint32_t>(mark.column + 1) : 0,
                      message,
                      remedy,
                      {}};
}

void YamlReader::names(const YAML::Node& node, const std::string& what,
                       const std::function<void(const YAML::Node&, const YAML::Node&)>& entry) const {
  if (!node.IsMap()) fail(node, what + " is not a mapping", "write it as `name: value` lines");
  std::set<std::string> seen;
  for (const auto& pair : node) {
    const std::string name = text(pair.first, "a key of " + what);
    if (!seen.insert(name).second) fail(pair.first, "'" + name + "' is there twice in " + what, "keep one of them");
    entry(pair.first, pair.second);
  }
}

void YamlReader::mapping(const YAML::Node& node, const std::string& what,
                         const std::map<std::string, Handler>& handlers) const {
  names(node, what, [&](const YAML::Node& key, const YAML::Node& value) {
    const std::string name = key.as<std::string>();
    const auto found = handlers.find(name);
    if (found != handlers.end()) return found->second(value);
    std::vector<std::string> known;
    for (const auto& [word, handler] : handlers) known.push_back(word);
    const std::optional<std::string> meant = nearest(name, known);
    fail(key, "unknown key '" + name + "' in " + what,
         meant ? "did you mean '" + *meant + "'?" : "known keys are " + one_of(known));
  });
}

void YamlReader::list(const YAML::Node& node, const std::string& what, const Handler& item) const {
  if (!node.IsSequence()) fail(node, what + " is not a list", "write it as `- item` lines or [a, b]");
  for (const YAML::Node& entry : node) item(entry);
}

std::string YamlReader::text(const YAML::Node& node, const std::string& what) const {
  if (!node.IsScalar()) fail(node, what + " is not a text", "write one word, or a text in quotes");
  return node.as<std::string>();
}

size_t YamlReader::choice(const YAML::Node& node, const std::string& what,
                          const std::vector<std::string>& words) const {
  const std::string word = text(node, what);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    const std::optional<std::string> meant = nearest(word, words);
    fail(node, what + " is '" + word + "'", meant ? "did you mean '" + *meant + "'?" : "it can be " + one_of(words));
  }
  return static_cast<size_t>(found - words.begin());
}

}  // namespace heddle::engine
