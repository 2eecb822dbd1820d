#include "client/config/origins.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "client/config/schemas.h"
#include "client/config/variables.h"
#include "client/git/git.h"
#include "server/disk/read.h"
#include "server/text/nearest.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr char kFile[] = ".heddle.yaml";
constexpr size_t kSettingsMost = 1u << 20;

// Of a user, for all projects.
std::string user_file() {
  const char* const xdg = std::getenv("XDG_CONFIG_HOME");
  if (xdg && *xdg == '/') return std::string(xdg) + "/heddle/config.yaml";
  const char* const home = std::getenv("HOME");
  return home && *home == '/' ? std::string(home) + "/.config/heddle/config.yaml" : "";
}

// As the engine looks for them: outer ones first, and that of the user before them.
std::vector<std::string> settings_files(const std::string& root) {
  std::error_code error;
  fs::path top = root;
  for (fs::path at = root; at != at.parent_path(); at = at.parent_path()) {
    if (!fs::exists(at / ".git", error)) continue;
    top = at;
    break;
  }
  std::vector<std::string> files;
  for (fs::path at = root;; at = at.parent_path()) {
    if (fs::exists(at / kFile, error)) files.push_back((at / kFile).string());
    if (at == top || at == at.parent_path()) break;
  }
  if (const std::string own = user_file(); !own.empty() && fs::exists(own, error)) files.push_back(own);
  std::reverse(files.begin(), files.end());
  return files;
}

Json json_of(const YAML::Node& node) {
  if (node.IsScalar()) return node.Scalar();
  if (node.IsSequence()) {
    Json list = Json::array();
    for (const YAML::Node& entry : node) list.push_back(json_of(entry));
    return list;
  }
  if (!node.IsMap()) return nullptr;
  Json object = Json::object();
  for (const auto& entry : node) object[entry.first.IsScalar() ? entry.first.Scalar() : ""] = json_of(entry.second);
  return object;
}

std::optional<Failure> read_file(const std::string& path, std::vector<Setting>& found) {
  std::string problem;
  const auto text = disk::read_regular(path, kSettingsMost, &problem);
  if (!text) return Failure{path + " " + problem, "make it readable"};
  try {
    const YAML::Node root = YAML::Load(*text);
    if (root.IsNull()) return std::nullopt;
    if (!root.IsMap()) return Failure{path + ":1:1: the settings are no mapping", "write `key: value`"};
    for (const auto& entry : root) {
      const unsigned line = static_cast<unsigned>(entry.first.Mark().line + 1);
      found.push_back(
          {entry.first.IsScalar() ? entry.first.Scalar() : "", json_of(entry.second), Origin::File, path, line, ""});
    }
  } catch (const YAML::Exception& error) {
    return Failure{path + ":" + std::to_string(error.mark.line + 1) + ":" + std::to_string(error.mark.column + 1) +
                       ": " + error.msg,
                   "correct it: docs/SETTINGS.md has every key"};
  }
  return std::nullopt;
}

bool replaces(const std::string& key) {
  return key == "arguments" || key == "stdin" || key == "connections" || key == "version" || key == "memory-model" ||
         key == "unknown-data";
}

// The names of the values that a file gives; one word for all unknown functions is the default.
std::vector<std::string> names_in(const std::string& key, const Json& value) {
  std::vector<std::string> names;
  if (key == "files" && value.is_array()) {
    for (const Json& file : value) {
      const Json& path = file.is_object() && file.contains("path") ? file["path"] : file;
      names.push_back(path.is_string() ? path.get<std::string>() : "");
    }
  } else if (value.is_object()) {
    for (const auto& [name, ignored] : value.items()) names.push_back(name);
  } else if (key == "unknown-externals") {
    names.emplace_back("default");
  }
  return names;
}

// Takes from what an outer file gives the values that the inner one gives by the same names. False: nothing is left.
bool keep_the_rest(Setting& outer, const Setting& inner) {
  const std::vector<std::string> replaced = names_in(outer.name, inner.value);
  const std::vector<std::string> names = names_in(outer.name, outer.value);
  size_t left = names.size();
  for (size_t i = names.size(); i-- > 0;) {
    if (std::find(replaced.begin(), replaced.end(), names[i]) == replaced.end()) continue;
    if (outer.value.is_array()) outer.value.erase(i);
    if (outer.value.is_object()) outer.value.erase(names[i]);
    --left;
  }
  return left > 0 || names.empty();
}

// The keys in the order of the schema; unknown ones, which a check refuses, at the end.
std::vector<Setting> in_order(const std::vector<Setting>& found) {
  std::vector<Setting> out;
  const Json schema = Json::parse(asset::settings_schema_json);
  for (const auto& [key, property] : schema["properties"].items()) {
    const size_t before = out.size();
    for (const Setting& setting : found) {
      if (setting.name != key) continue;
      const auto is_gone = [&, &key = key](Setting& outer) { return replaces(key) || !keep_the_rest(outer, setting); };
      out.erase(std::remove_if(out.begin() + static_cast<ptrdiff_t>(before), out.end(), is_gone), out.end());
      out.push_back(setting);
    }
    if (out.size() == before) {
      const Json otherwise = key == "version"             ? Json("1")
                             : key == "unknown-externals" ? Json("stop")
                             : key == "memory-model"      ? Json("rc11")
                             : key == "unknown-data"      ? Json("symbolic")
                                                          : Json();
      out.push_back({key, otherwise, Origin::Default, "", 0, ""});
    }
    for (size_t i = before; i < out.size(); ++i) out[i].meaning = property["description"];
  }
  std::vector<std::string> known;
  for (const auto& [key, property] : schema["properties"].items()) known.push_back(key);
  for (const Setting& setting : found) {
    if (schema["properties"].contains(setting.name)) continue;
    const std::string meant = text::nearest(setting.name, known);
    out.push_back(setting);
    out.back().meaning = "not a key" + (meant.empty() ? std::string() : ": did you mean '" + meant + "'?");
    out.back().is_known = false;
  }
  return out;
}

void add_git(const std::string& root, std::vector<Setting>& out) {
  const auto tree = GitTree::at(root);
  const auto add = [&](const char* name, const char* otherwise, const char* meaning) {
    const auto* git = std::get_if<GitTree>(&tree);
    const auto given = git ? git->setting(name) : std::nullopt;
    out.push_back({name, given.value_or(otherwise), given ? Origin::Git : Origin::Default, "", 0, meaning});
  };
  add("heddle.budget", "10", "seconds for the check of a commit");
  add("heddle.onInconclusive", "pass", "what the hook does with an unfinished check: pass or fail");
}

const char* meaning_of(const std::string& key) {
  if (key == "Add") return "flags that every compile command gets";
  if (key == "Remove") return "flags that every compile command loses";
  if (key == "Compiler") return "what stands for the compiler in every command";
  return nullptr;
}

void read_flags(const YAML::Node& flags, const std::string& condition, const std::string& path,
                std::vector<Setting>& out) {
  for (const auto& entry : flags) {
    if (!entry.first.IsScalar()) continue;
    const std::string key = entry.first.Scalar();
    const char* const meaning = meaning_of(key);
    out.push_back({".clangd: CompileFlags." + key, json_of(entry.second), Origin::File, path,
                   static_cast<unsigned>(entry.first.Mark().line + 1),
                   meaning ? meaning + condition : "not followed" + condition, meaning != nullptr});
    if (key == "CompilationDatabase") out.back().meaning += ": name the folder with -p";
  }
}

// Of the root and what contains it; a source in a folder below may have more.
std::optional<Failure> read_clangd_files(const std::string& root, std::vector<Setting>& out) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::path at = root;; at = at.parent_path()) {
    if (fs::is_regular_file(at / ".clangd", error)) paths.insert(paths.begin(), (at / ".clangd").string());
    if (at == at.parent_path()) break;
  }
  for (const std::string& path : paths) {
    const auto text = disk::read_regular(path, kSettingsMost);
    if (!text) continue;
    try {
      for (const YAML::Node& part : YAML::LoadAll(*text)) {
        if (!part.IsMap() || !part["CompileFlags"] || !part["CompileFlags"].IsMap()) continue;
        const YAML::Node condition = part["If"];
        read_flags(part["CompileFlags"], condition ? " if " + json_of(condition).dump() : "", path, out);
      }
    } catch (const YAML::Exception& problem) {
      return Failure{path + ":" + std::to_string(problem.mark.line + 1) + ":" +
                         std::to_string(problem.mark.column + 1) + ": " + problem.msg,
                     "correct it: docs/SETTINGS.md says what Heddle reads of it"};
    }
  }
  return std::nullopt;
}

}  // namespace

std::variant<std::vector<Setting>, Failure> find_settings(const std::string& root) {
  std::vector<Setting> found;
  for (const std::string& path : settings_files(root))
    if (const auto failure = read_file(path, found)) return *failure;
  std::vector<Setting> out = in_order(found);
  if (const auto failure = read_clangd_files(root, out)) return *failure;
  add_git(root, out);
  for (const Variable& variable : variables()) {
    const char* const given = std::getenv(variable.name);
    const bool set = given && *given;
    out.push_back({variable.name, set ? given : variable.otherwise, set ? Origin::Environment : Origin::Default, "", 0,
                   variable.meaning});
  }
  return out;
}

}  // namespace heddle::client
