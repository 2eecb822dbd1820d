// Reads YAML mappings, with messages that name line, column and the nearest known key.
//
// In:      nodes of yaml-cpp.
// Out:     calls of handlers with nodes; texts and indices.
// Owns:    the file's name.
// Threads: immutable after construction; handlers run on the caller's thread.
// Fails:   throws a SettingsError at the first problem, which the reader of the file catches.
#pragma once

#include <yaml-cpp/yaml.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "server/engine/settings/project_settings.h"

namespace heddle::engine {

class YamlReader {
 public:
  explicit YamlReader(std::string file) : file_(std::move(file)) {}
  const std::string& file() const { return file_; }

  using Handler = std::function<void(const YAML::Node& value)>;
  // Calls the handler of each key that is there. A key that is unknown or there twice is an error.
  void mapping(const YAML::Node& node, const std::string& what, const std::map<std::string, Handler>& handlers) const;
  // Names and values of a mapping whose keys are free.
  void names(const YAML::Node& node, const std::string& what,
             const std::function<void(const YAML::Node& key, const YAML::Node& value)>& entry) const;
  void list(const YAML::Node& node, const std::string& what, const Handler& item) const;
  std::string text(const YAML::Node& node, const std::string& what) const;
  int64_t integer(const YAML::Node& node, const std::string& what) const;  // `what`: for the remedy
  // Index of the word in `words`.
  size_t choice(const YAML::Node& node, const std::string& what, const std::vector<std::string>& words) const;
  [[noreturn]] void fail(const YAML::Node& at, const std::string& message, const std::string& remedy = "") const;

 private:
  std::string file_;
};

}  // namespace heddle::engine
