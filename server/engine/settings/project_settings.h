// Reads `.heddle.yaml`: a project's inputs, models, unknown functions and suppressions. docs/SETTINGS.md has every key.
//
// In:      the project's root. Files are read there and, within the same git work tree, in the folders above it; before
//          all of them that of the user. Outer files come first: an inner file adds to lists, replaces single values.
// Out:     values for Settings::apply, and the files they came from, to be watched.
// Owns:    nothing; values.
// Threads: one call is one thread; it reads files through `read` and looks at paths on disk.
// Fails:   SettingsError with file, line and remedy; an unknown key is one.
// From:    docs/SETTINGS.md, docs/SECURITY.md (files outside the project).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/engine/settings/ignored_paths.h"
#include "server/engine/settings/suppressions.h"
#include "server/machine/machine.h"

namespace heddle::engine {

inline constexpr const char* kSettingsFile = ".heddle.yaml";

// Where the settings of a user for all projects are, if there are any; empty: no home folder is known.
std::string user_settings_file();

struct GivenModel {
  v1::MemoryModel model;
  std::string name;  // "rc11"
  std::string file;
  uint32_t line = 0, column = 0;  // of the value, from 1
};

// Seconds of exploring, of checks that give no limit themselves.
struct TimeLimits {
  std::optional<double> pairs, all, first, background;
};

struct ProjectSettings {
  machine::Inputs inputs;
  machine::UnknownCalls unknown_calls;
  machine::UnknownData unknown_data = machine::UnknownData::Symbolic;
  std::optional<GivenModel> memory_model;
  std::vector<std::string> models;  // absolute paths of C and C++ files that are compiled in
  std::vector<std::string> files;   // absolute: settings files that are or could be there, and the inputs they name
  std::vector<SuppressionEntry> suppressions;
  std::vector<IgnoredPath> ignored;
  TimeLimits time_limits;
  std::vector<std::string> sampled;  // inputs with several values, in words: "argument 2 (6 values)"
  std::vector<std::string> bounded;  // unknown texts: "argument 2 has at most 8 bytes"
};

struct SettingsError {
  std::string file;
  uint32_t line = 0, column = 0;  // from 1; 0: the whole file
  std::string message, remedy;
  std::vector<std::string> files = {};  // as in ProjectSettings, as far as it was read
  std::string text() const;             // one line
};

// `problem`: why the file cannot be read, in words that fit after its name.
using FileReader =
    std::function<std::optional<std::string>(const std::string& path, uint64_t bytes_most, std::string& problem)>;
std::variant<ProjectSettings, SettingsError> read_project_settings(const std::string& root, const FileReader& read);

}  // namespace heddle::engine
