// `.heddle.yaml`: what a project says about its inputs, its models and unknown functions. docs/SETTINGS.md has every
// key.
//
// In:      the project's root; the texts of `.heddle.yaml` there and, within the same git work tree, of the folders
// above
//          (outer ones first: an inner file adds to lists and replaces single values).
// Out:     values that Settings::apply takes, and the files they came from, for watching.
// Owns:    values. Threads: pure but for the given reader.
// Fails:   SettingsError with file, line and remedy; an unknown key is one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "server/engine/suppressions.h"
#include "server/machine/inputs.h"

namespace heddle::engine {

inline constexpr const char* kSettingsFile = ".heddle.yaml";

struct ProjectSettings {
  machine::Inputs inputs;
  machine::UnknownCalls unknown_calls;
  std::vector<std::string> models;  // absolute paths of C and C++ files that are compiled in
  std::vector<std::string> files;   // absolute: settings files that are or could be there, and the inputs they name
  std::vector<SuppressionEntry> suppressions;
  std::vector<std::string> sampled;  // inputs that are unknown, in words: "argument 2 (6 values)"
};

struct SettingsError {
  std::string file;
  uint32_t line = 0, column = 0;  // from 1; 0: the whole file
  std::string message, remedy;
  std::vector<std::string> files = {};  // as in ProjectSettings, as far as it was read
  std::string text() const;             // one line
};

// `problem`: why there is nothing, in words that fit behind the file's name.
using FileReader =
    std::function<std::optional<std::string>(const std::string& path, uint64_t bytes_most, std::string& problem)>;
std::variant<ProjectSettings, SettingsError> read_project_settings(const std::string& root, const FileReader& read);

}  // namespace heddle::engine
