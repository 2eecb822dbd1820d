// Each setting with its value and where that comes from.
//
// In:      the project's root; settings files there, above it in the same git work tree, and the user's; the
//          environment; the configuration of git.
// Out:     settings in the order of docs/SETTINGS.md, then git's, then variables.
// Owns:    values.
// Threads: one; runs git.
// Fails:   by value: a Failure with file and line if a settings file is no YAML mapping. What its values mean is the
//          engine's affair.
// From:    docs/SETTINGS.md.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "client/link/backend.h"

namespace heddle::client {

enum class Origin : unsigned char { Default, File, Git, Environment };

struct Setting {
  std::string name;
  nlohmann::ordered_json value;  // null: none
  Origin origin = Origin::Default;
  std::string file;  // of Origin::File: absolute; lists that several files add to have an entry for each file
  unsigned line = 0;
  std::string meaning;
  bool is_known = true;  // false: no key that Heddle reads; a check refuses a `.heddle.yaml` that has it
};
std::variant<std::vector<Setting>, Failure> find_settings(const std::string& root);

}  // namespace heddle::client
