#include "server/engine/settings/project_settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "server/engine/settings/unknown_externals.h"
#include "server/engine/settings/yaml_reader.h"
#include "server/text/ignore_comment.h"
#include "server/text/nearest.h"
#include "server/text/numbers.h"

namespace heddle::engine {

namespace {

namespace fs = std::filesystem;

constexpr size_t kInputFileMost = 16u << 20, kInputsMost = 64u << 20;
constexpr size_t kInputFilesMost = 1000;
constexpr size_t kSettingsMost = 1u << 20;
constexpr int kSecondsMost = 86400;

// Possible values of one input; several: unknown.
struct Values {
  std::vector<std::string> texts;
  bool unset = false;    // a variable may also be missing
  uint32_t unknown = 0;  // bytes of a text that is unknown, at most; `texts` are its samples
};

// One settings file, read into what the outer ones gave.
class FileSettings {
 public:
  FileSettings(const std::string& path, const fs::path& top, const FileReader& read, ProjectSettings& out)
      : yaml_(path), folder_(fs::path(path).parent_path()), top_(top), read_(read), out_(out) {}

  void take(const YAML::Node& root) {
    if (root.IsNull()) return;
    yaml_.mapping(
        root, "the settings",
        {{"version", [&](const YAML::Node& v) { version(v); }},
         {"arguments", [&](const YAML::Node& v) { arguments(v); }},
         {"stdin", [&](const YAML::Node& v) { standard_input(v); }},
         {"environment", [&](const YAML::Node& v) { environment(v); }},
         {"files", [&](const YAML::Node& v) { files(v); }},
         {"connections", [&](const YAML::Node& v) { connections(v); }},
         {"models", [&](const YAML::Node& v) { models(v); }},
         {"memory-model", [&](const YAML::Node& v) { memory_model(v); }},
         {"ignore", [&](const YAML::Node& v) { ignore(v); }},
         {"time-limits", [&](const YAML::Node& v) { time_limits(v); }},
         {"suppressions", [&](const YAML::Node& v) { suppressions(v); }},
         {"unknown-data", [&](const YAML::Node& v) { unknown_data(v); }},
         {"unknown-externals", [&](const YAML::Node& v) { read_unknown_externals(yaml_, v, out_.unknown_calls); }}});
    const auto& calls = out_.unknown_calls.by_name;
    const auto fills =
        std::find_if(calls.begin(), calls.end(), [](const auto& entry) { return !entry.second.fills.empty(); });
    if (fills != calls.end() && out_.unknown_data == machine::UnknownData::Sampled)
      yaml_.fail(root[root["unknown-data"] ? "unknown-data" : "unknown-externals"],
                 "'" + fills->first + "' fills memory, which stands for every value, and unknown-data is sampled",
                 "leave unknown-data out, or define the function in a model");
  }

 private:
  void version(const YAML::Node& node) {
    if (yaml_.text(node, "version") != "1")
      yaml_.fail(node, "this Heddle reads settings of version 1", "write `version: 1`, or update Heddle");
  }

  std::string content(const YAML::Node& node, const std::string& name) {
    const std::string path =
        (fs::path(name).is_absolute() ? fs::path(name) : folder_ / name).lexically_normal().string();
    if (++inputs_ > kInputFilesMost)
      yaml_.fail(node, "more than " + std::to_string(kInputFilesMost) + " files are read", "name fewer");
    if (const std::string outside = outside_of(path); !outside.empty())
      yaml_.fail(node, "the file " + path + " lies outside of the project (" + outside + ")",
                 "copy it into the project; or, if you trust the project, set HEDDLE_TRUST_OUTSIDE=1");
    out_.files.push_back(path);
    std::string problem = "cannot be read";
    std::optional<std::string> text = read_(path, kInputFileMost, problem);
    if (!text) yaml_.fail(node, "the file " + path + " " + problem, "create it, or correct the path");
    if (text->size() > kInputFileMost)
      yaml_.fail(node, "the file " + path + " is larger than 16 MB", "use a smaller input");
    bytes_ += text->size();
    if (bytes_ > kInputsMost) yaml_.fail(node, "the files together are larger than 64 MB", "use smaller inputs");
    return *std::move(text);
  }

  // Where the file is if a link or `..` leads out of the project; empty: inside, or that is the user's wish.
  std::string outside_of(const std::string& path) const {
    if (const char* trusted = std::getenv("HEDDLE_TRUST_OUTSIDE"); trusted && std::string_view(trusted) == "1")
      return "";
    std::error_code error;
    const fs::path real = fs::weakly_canonical(path, error), top = fs::weakly_canonical(top_, error);
    const fs::path below = real.lexically_relative(top);
    const bool inside = !below.empty() && *below.begin() != "..";
    return inside ? "" : real.string();
  }

  // {length: 12} of {unknown: {length: 12}}.
  uint32_t length(const YAML::Node& node, const std::string& what) {
    std::optional<uint32_t> most;
    yaml_.mapping(node, "unknown of " + what, {{"length", [&](const YAML::Node& v) { most = bytes_of(v, what); }}});
    if (!most) yaml_.fail(node, "unknown of " + what + " says nothing", "write {unknown: {length: 8}}, or the word");
    return *most;
  }

  uint32_t bytes_of(const YAML::Node& node, const std::string& what) {
    const int64_t most = yaml_.integer(node, "length");
    if (most < 1 || most > machine::kUnknownLengthMost)
      yaml_.fail(node, "the length of " + what + " is " + std::to_string(most),
                 "give how many bytes it has at most, from 1 to " + std::to_string(machine::kUnknownLengthMost));
    return static_cast<uint32_t>(most);
  }

  // {unknown: {count: 2, length: 12}}: clients of listening sockets.
  void connections(const YAML::Node& node) {
    constexpr int64_t kClientsMost = 16;
    std::optional<int64_t> count;
    uint32_t bytes = machine::kUnknownLength;
    const auto take_count = [&](const YAML::Node& v) {
      count = yaml_.integer(v, "count");
      if (*count < 0 || *count > kClientsMost)
        yaml_.fail(v, "the count of connections is " + std::to_string(*count),
                   "give how many clients connect, from 0 to " + std::to_string(kClientsMost));
    };
    const auto take_length = [&](const YAML::Node& v) { bytes = bytes_of(v, "a connection"); };
    yaml_.mapping(node, "connections", {{"unknown", [&](const YAML::Node& given) {
                                           yaml_.mapping(given, "unknown of connections",
                                                         {{"count", take_count}, {"length", take_length}});
                                         }}});
    if (!count) yaml_.fail(node, "connections says not how many", "write {unknown: {count: 2, length: 8}}");
    out_.inputs.clients = static_cast<uint32_t>(*count);
    out_.inputs.client_bytes = bytes;
  }

  void note_unknown(const std::string& name, uint32_t bytes) {
    out_.inputs.unknown.erase(name);
    if (bytes != 0) out_.inputs.unknown[name] = bytes;
  }

  void standard_input(const YAML::Node& node) {
    const Values given = values(node, "stdin");
    if (given.unset && given.unknown == 0)
      yaml_.fail(node, "standard input cannot be missing", "give texts under one-of; \"\" is an empty one");
    out_.inputs.standard_input = given.texts;
    note_unknown(machine::kStandardInput, given.unknown);
  }

  // A text; `unknown`; {unknown: {length: n}}; {one-of: [texts]}; {file: path}.
  Values values(const YAML::Node& node, const std::string& what) {
    if (node.IsScalar() && node.Tag() == "?" && node.Scalar() == "unknown")
      return {machine::sampled_texts(), true, machine::kUnknownLength};
    if (!node.IsMap()) return {{yaml_.text(node, what)}, false, 0};
    Values out;
    yaml_.mapping(
        node, what,
        {{"one-of",
          [&](const YAML::Node& list) {
            yaml_.list(list, "one-of", [&](const YAML::Node& item) {
              const std::string text = item.IsNull() ? "" : yaml_.text(item, "a value of one-of");
              const bool again =
                  item.IsNull() ? out.unset : std::find(out.texts.begin(), out.texts.end(), text) != out.texts.end();
              if (again)
                yaml_.fail(item, (item.IsNull() ? "~" : "'" + text + "'") + " is there twice under one-of",
                           "keep one of them");
              if (item.IsNull())
                out.unset = true;
              else
                out.texts.push_back(text);
            });
          }},
         {"unknown", [&](const YAML::Node& v) { out = {machine::sampled_texts(), true, length(v, what)}; }},
         {"file", [&](const YAML::Node& name) { out.texts.push_back(content(name, yaml_.text(name, "file"))); }}});
    if (out.texts.empty() && !out.unset) yaml_.fail(node, what + " has no value", "give at least one under one-of");
    return out;
  }

  void arguments(const YAML::Node& node) {
    for (size_t n = 0; n < out_.inputs.arguments.size(); ++n) note_unknown(machine::name_of_argument(n + 1), 0);
    out_.inputs.arguments.clear();
    yaml_.list(node, "arguments", [&](const YAML::Node& item) {
      const Values given = values(item, "an argument");
      if (given.unset && given.unknown == 0)
        yaml_.fail(item, "an argument cannot be missing", "give texts under one-of");
      out_.inputs.arguments.push_back(given.texts);
      note_unknown(machine::name_of_argument(out_.inputs.arguments.size()), given.unknown);
    });
  }

  void environment(const YAML::Node& node) {
    yaml_.names(node, "environment", [&](const YAML::Node& key, const YAML::Node& value) {
      machine::EnvironmentVariable variable;
      variable.name = key.as<std::string>();
      if (variable.name.empty() || variable.name.find('=') != std::string::npos)
        yaml_.fail(key, "'" + variable.name + "' is no name of a variable", "a name is not empty and has no '='");
      const Values given = values(value, variable.name);
      if (given.unset) variable.values.push_back(std::nullopt);
      for (const std::string& text : given.texts) variable.values.push_back(text);
      note_unknown(machine::name_of_variable(variable.name), given.unknown);
      auto& all = out_.inputs.environment;
      std::erase_if(all, [&](const machine::EnvironmentVariable& v) { return v.name == variable.name; });
      all.push_back(std::move(variable));
    });
  }

  void files(const YAML::Node& node) {
    yaml_.list(node, "files", [&](const YAML::Node& item) {
      machine::InputFile file;
      uint32_t unknown = 0;
      if (item.IsScalar()) {
        file.path = yaml_.text(item, "a file");
        file.content = content(item, file.path);
      } else {
        bool given = false;
        const auto give = [&](const YAML::Node& v) {
          if (std::exchange(given, true))
            yaml_.fail(v, "a file has two contents", "keep one of `from`, `text` and `unknown`");
        };
        yaml_.mapping(item, "a file",
                      {{"path", [&](const YAML::Node& v) { file.path = yaml_.text(v, "path"); }},
                       {"from",
                        [&](const YAML::Node& v) {
                          give(v);
                          file.content = content(v, yaml_.text(v, "from"));
                        }},
                       {"text",
                        [&](const YAML::Node& v) {
                          give(v);
                          file.content = yaml_.text(v, "text");
                        }},
                       {"unknown", [&](const YAML::Node& v) {
                          give(v);
                          unknown = length(v, file.path.empty() ? "a file" : file.path);
                          file.unknown = true;
                        }}});
        if (file.path.empty() || !given)
          yaml_.fail(item, "a file needs `path` and either `from`, `text` or `unknown`", "add what is missing");
      }
      note_unknown(machine::name_of_file(file.path), unknown);
      auto& all = out_.inputs.files;
      std::erase_if(all, [&](const machine::InputFile& f) { return f.path == file.path; });
      all.push_back(std::move(file));
    });
  }

  void models(const YAML::Node& node) {
    yaml_.list(node, "models", [&](const YAML::Node& item) {
      const std::string name = yaml_.text(item, "a model");
      const std::string path =
          (fs::path(name).is_absolute() ? fs::path(name) : folder_ / name).lexically_normal().string();
      const std::string extension = fs::path(path).extension().string();
      if (extension != ".c" && extension != ".cc" && extension != ".cpp" && extension != ".cxx")
        yaml_.fail(item, "the model " + name + " is no C or C++ source file", "its name ends in .c, .cc, .cpp or .cxx");
      std::string problem = "cannot be read";
      if (!read_(path, kInputFileMost, problem))
        yaml_.fail(item, "the model " + path + " " + problem, "create it, or correct the path");
      if (std::find(out_.models.begin(), out_.models.end(), path) == out_.models.end()) out_.models.push_back(path);
    });
  }

  // What an entry lacks to cover anything is reported with the verdict, as for comments.
  void suppressions(const YAML::Node& node) {
    yaml_.list(node, "suppressions", [&](const YAML::Node& item) {
      SuppressionEntry entry;
      entry.settings = true;
      entry.file = yaml_.file();
      entry.line = static_cast<uint32_t>(item.Mark().line + 1);
      const auto word = [&](const char* name, std::string& to) {
        return std::pair<const std::string, YamlReader::Handler>(
            name, [this, name, &to](const YAML::Node& v) { to = yaml_.text(v, name); });
      };
      const auto rules = [&](const YAML::Node& v) {
        if (v.IsSequence())
          yaml_.list(v, "rule", [&](const YAML::Node& rule) { entry.rules.push_back(yaml_.text(rule, "a rule")); });
        else
          entry.rules.push_back(yaml_.text(v, "rule"));
      };
      const auto threads = [&](const YAML::Node& v) {
        yaml_.list(v, "threads", [&](const YAML::Node& name) {
          entry.threads.push_back(text::thread_without_number(yaml_.text(name, "a thread")));
        });
      };
      yaml_.mapping(item, "a suppression",
                    {{"rule", rules},
                     {"threads", threads},
                     word("object", entry.object),
                     word("finding", entry.finding),
                     word("function", entry.function),
                     word("path", entry.path),
                     word("reason", entry.reason),
                     word("owner", entry.owner),
                     word("until", entry.until)});
      out_.suppressions.push_back(std::move(entry));
    });
  }

  void ignore(const YAML::Node& node) {
    yaml_.list(node, "ignore", [&](const YAML::Node& item) {
      const std::string path = yaml_.text(item, "a path of ignore");
      if (path.empty()) yaml_.fail(item, "a path of ignore is empty", "write a folder or a file, such as third_party");
      std::string pattern = (folder_ / path).lexically_normal().string();
      if (pattern.ends_with('/')) pattern.pop_back();
      out_.ignored.push_back({std::move(pattern), yaml_.file(), static_cast<uint32_t>(item.Mark().line + 1)});
    });
  }

  void time_limits(const YAML::Node& node) {
    const auto seconds = [&](const char* name, std::optional<double>& limit) {
      return std::pair<const std::string, YamlReader::Handler>{
          name, [&, name](const YAML::Node& v) {
            const std::string text = yaml_.text(v, name);
            const auto given = text::seconds_from(text);
            if (!given || *given == 0 || *given > kSecondsMost)
              yaml_.fail(v, std::string("the time limit ") + name + " is '" + text + "'",
                         std::string("give ") + text::kTimesRead + ", more than 0 and at most a day");
            limit = given;
          }};
    };
    TimeLimits& limits = out_.time_limits;
    yaml_.mapping(node, "time-limits",
                  {seconds("pairs", limits.pairs), seconds("all", limits.all), seconds("first", limits.first),
                   seconds("background", limits.background)});
  }

  void unknown_data(const YAML::Node& node) {
    constexpr machine::UnknownData kKinds[] = {machine::UnknownData::Sampled, machine::UnknownData::Symbolic};
    out_.unknown_data = kKinds[yaml_.choice(node, "unknown-data", {"sampled", "symbolic"})];
  }

  void memory_model(const YAML::Node& node) {
    constexpr std::pair<const char*, v1::MemoryModel> kModels[] = {{"sc", v1::MEMORY_MODEL_SC},
                                                                   {"tso", v1::MEMORY_MODEL_TSO},
                                                                   {"ra", v1::MEMORY_MODEL_RA},
                                                                   {"rc11", v1::MEMORY_MODEL_RC11}};
    const std::string word = yaml_.text(node, "memory-model");
    std::vector<std::string> names;
    for (const auto& [name, model] : kModels) {
      names.push_back(name);
      if (word != name) continue;
      const YAML::Mark mark = node.Mark();
      out_.memory_model = {model, name, yaml_.file(), static_cast<uint32_t>(mark.line + 1),
                           static_cast<uint32_t>(mark.column + 1)};
      return;
    }
    const std::string meant = text::nearest(word, names);
    yaml_.fail(node, "memory-model is '" + word + "'",
               (meant.empty() ? "" : "did you mean '" + meant + "'? ") + "the models are sc, tso, ra and rc11");
  }

  YamlReader yaml_;
  fs::path folder_, top_;
  size_t inputs_ = 0, bytes_ = 0;
  const FileReader& read_;
  ProjectSettings& out_;
};

// The root and, if it lies in a git work tree, the folders up to its top; outermost first.
std::vector<fs::path> folders_of(const std::string& root) {
  std::vector<fs::path> up;
  for (fs::path at = root; !at.empty(); at = at.parent_path()) {
    up.push_back(at);
    std::error_code ignored;
    if (fs::exists(at / ".git", ignored)) {
      std::reverse(up.begin(), up.end());
      return up;
    }
    if (at == at.parent_path()) break;
  }
  return {root};
}

void name_sampled(ProjectSettings& out) {
  const bool symbolic = out.unknown_data == machine::UnknownData::Symbolic;
  const auto add = [&](const std::string& what, size_t count, const std::string& name) {
    const auto found = out.inputs.unknown.find(name);
    if (symbolic && found != out.inputs.unknown.end())
      out.bounded.push_back(what + " has at most " + std::to_string(found->second) +
                            (found->second == 1 ? " byte" : " bytes"));
    else if (count > 1)
      out.sampled.push_back(what + " (" + std::to_string(count) + " values)");
  };
  for (size_t n = 0; n < out.inputs.arguments.size(); ++n)
    add("argument " + std::to_string(n + 1), out.inputs.arguments[n].size(), machine::name_of_argument(n + 1));
  for (const machine::EnvironmentVariable& variable : out.inputs.environment)
    add(machine::name_of_variable(variable.name), variable.values.size(), machine::name_of_variable(variable.name));
  add(machine::kStandardInput, out.inputs.standard_input.size(), machine::kStandardInput);
  for (const machine::InputFile& file : out.inputs.files)
    add(machine::name_of_file(file.path), file.unknown ? machine::sampled_texts().size() : 1,
        machine::name_of_file(file.path));
  if (const uint32_t count = out.inputs.clients; count != 0) {
    const std::string what = (count == 1 ? "1 client connects" : std::to_string(count) + " clients connect") +
                             " from outside; each sends at most " + std::to_string(out.inputs.client_bytes) +
                             (out.inputs.client_bytes == 1 ? " byte" : " bytes");
    (symbolic ? out.bounded : out.sampled).push_back(what);
  }
}

// One file, on top of what the outer ones gave. `top`: the folder that what it names has to be in.
std::optional<SettingsError> read_settings_file(const std::string& path, const fs::path& top, const FileReader& read,
                                                ProjectSettings& out) {
  out.files.push_back(path);
  std::string problem;
  const std::optional<std::string> text = read(path, kSettingsMost, problem);
  std::error_code ignored;
  if (!text && fs::exists(path, ignored))
    return SettingsError{path, 0, 0, problem, "correct it, or remove it", out.files};
  if (!text) return std::nullopt;
  try {
    FileSettings(path, top, read, out).take(YAML::Load(*text));
  } catch (SettingsError& error) {
    error.files = out.files;
    return error;
  } catch (const YAML::Exception& error) {
    const bool known = !error.mark.is_null();
    return SettingsError{path,
                         known ? static_cast<uint32_t>(error.mark.line + 1) : 0,
                         known ? static_cast<uint32_t>(error.mark.column + 1) : 0,
                         "is no YAML: " + error.msg,
                         "correct the line",
                         out.files};
  }
  return std::nullopt;
}

}  // namespace

std::string user_settings_file() {
  const char* const xdg = std::getenv("XDG_CONFIG_HOME");
  if (xdg && *xdg == '/') return std::string(xdg) + "/heddle/config.yaml";
  const char* const home = std::getenv("HOME");
  return home && *home == '/' ? std::string(home) + "/.config/heddle/config.yaml" : "";
}

std::string SettingsError::text() const {
  std::string place = file;
  if (line > 0) place += ":" + std::to_string(line) + ":" + std::to_string(column);
  std::string line_of_text = place + ": " + message + (remedy.empty() ? "" : "; " + remedy);
  // Keys and values are named as they stand there: whatever they hold, it moves no cursor.
  for (char& c : line_of_text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return line_of_text;
}

std::variant<ProjectSettings, SettingsError> read_project_settings(const std::string& root, const FileReader& read) {
  ProjectSettings out;
  const std::string of_user = user_settings_file();
  std::error_code ignored;
  if (!of_user.empty() && fs::exists(fs::path(of_user).parent_path(), ignored)) {
    const auto problem = read_settings_file(of_user, fs::path(of_user).parent_path(), read, out);
    if (problem) return *problem;
  }
  const std::vector<fs::path> folders = folders_of(root);
  for (const fs::path& folder : folders)
    if (const auto problem = read_settings_file((folder / kSettingsFile).string(), folders.front(), read, out))
      return *problem;
  name_sampled(out);
  return out;
}

}  // namespace heddle::engine
