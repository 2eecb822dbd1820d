#include "server/engine/settings/yaml_reader.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "server/text/nearest.h"

namespace heddle::engine {

namespace {

std::string one_of(const std::vector<std::string>& words) {
  std::string text;
  for (size_t n = 0; n < words.size(); ++n)
    text += (n == 0 ? "" : n + 1 == words.size() ? " or " : ", ") + ("'" + words[n] + "'");
  return text;
}

}  // namespace

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
    const std::string meant = text::nearest(name, known);
    fail(key, "unknown key '" + name + "' in " + what,
         meant.empty() ? "known keys are " + one_of(known) : "did you mean '" + meant + "'?");
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

int64_t YamlReader::integer(const YAML::Node& node, const std::string& what) const {
  const std::string given = text(node, what);
  int64_t value = 0;
  const auto [end, problem] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (problem != std::errc() || end != given.data() + given.size())
    fail(node, "'" + given + "' is no integer of 64 bits", "give " + what + " as a decimal number");
  return value;
}

size_t YamlReader::choice(const YAML::Node& node, const std::string& what,
                          const std::vector<std::string>& words) const {
  const std::string word = text(node, what);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    const std::string meant = text::nearest(word, words);
    fail(node, what + " is '" + word + "'",
         meant.empty() ? "it can be " + one_of(words) : "did you mean '" + meant + "'?");
  }
  return static_cast<size_t>(found - words.begin());
}

}  // namespace heddle::engine
