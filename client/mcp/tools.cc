#include "client/mcp/tools.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "client/doctor/program_run.h"
#include "client/report/exit_code.h"
#include "server/daemon/paths.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

struct Parameter {
  const char *name, *type, *meaning;
  bool required = false;
};
struct Tool {
  const char *name, *meaning;
  std::vector<Parameter> parameters;
};

const Parameter kFolder = {"folder", "string", "The project's folder; default: where the server was started"};
const Parameter kFull = {"full", "boolean", "Explore every interleaving instead of what the edit affects"};

const std::vector<Tool>& tools() {
  static const std::vector<Tool> kTools = {
      {"check",
       "Checks what changed since the verified version: data races, deadlocks, lost signals, failed assertions, memory "
       "errors, each with the interleaving that causes it.",
       {{"files", "strings", "C and C++ files; default: the whole project"},
        kFull,
        {"seconds", "number", "Time for the exploration"},
        kFolder}},
      {"findings",
       "Lists the open findings.",
       {{"files", "strings", "Files of the project (where there is no compile database)"}, kFolder}},
      {"interleaving",
       "Shows a finding with every step of the interleaving that leads to it.",
       {{"id", "string", "The finding's id or the beginning of it", true},
        {"files", "strings", "Files of the project (where there is no compile database)"},
        kFolder}},
      {"fix",
       "Looks for fixes of a finding. Each one was explored: the fixed program shows neither this finding nor a new "
       "one. "
       "Nothing is written.",
       {{"id", "string", "The finding's id or the beginning of it", true},
        {"files", "strings", "Files of the project (where there is no compile database)"},
        kFolder}},
      {"why",
       "Says which pairs of threads a place gave rise to in the last check, and why each was explored or skipped.",
       {{"place", "string", "FILE or FILE:LINE", true}, kFolder}},
      {"try_patch",
       "Checks the project as if files had other texts. Nothing is written into the project, nothing is remembered.",
       {{"texts", "texts", "The files and their whole new texts", true},
        {"files", "strings", "C and C++ files to check (where there is no compile database and a header is patched)"},
        kFull,
        kFolder}},
  };
  return kTools;
}

Json schema_of(const Parameter& parameter) {
  Json schema = {{"description", parameter.meaning}};
  const std::string type = parameter.type;
  if (type == "strings") {
    schema["type"] = "array";
    schema["items"] = {{"type", "string"}};
  } else if (type == "texts") {
    schema["type"] = "array";
    schema["items"] = {{"type", "object"},
                       {"properties", {{"path", {{"type", "string"}}}, {"text", {{"type", "string"}}}}},
                       {"required", {"path", "text"}}};
  } else {
    schema["type"] = type;
  }
  return schema;
}

// A path or an id could look like an option, or be cut short.
bool can_be_argument(const std::string& word) {
  return !word.empty() && !word.starts_with("-") && word.find('\0') == std::string::npos;
}

bool is_text_of_file(const Json& value) {
  return value.is_object() && value.contains("path") && value["path"].is_string() && value.contains("text") &&
         value["text"].is_string() && can_be_argument(value["path"]);
}

bool has_type(const Json& value, const std::string& type) {
  const auto all = [&](const auto& good) { return value.is_array() && std::all_of(value.begin(), value.end(), good); };
  if (type == "strings") return all([](const Json& element) { return element.is_string(); });
  if (type == "texts") return !value.empty() && all(is_text_of_file);
  if (type == "boolean") return value.is_boolean();
  return type == "number" ? value.is_number() : value.is_string();
}

// What is wrong with the arguments; empty: nothing.
std::string mistake_in(const Tool& tool, const Json& arguments) {
  if (!arguments.is_object()) return "`arguments` is an object";
  for (const Parameter& parameter : tool.parameters) {
    const auto given = arguments.find(parameter.name);
    if (given == arguments.end() && parameter.required)
      return std::string(tool.name) + " needs `" + parameter.name + "`: " + parameter.meaning;
    if (given != arguments.end() && !has_type(*given, parameter.type))
      return std::string("`") + parameter.name + "` is not as the schema says: " + parameter.meaning;
  }
  for (const auto& [name, value] : arguments.items())
    if (std::none_of(tool.parameters.begin(), tool.parameters.end(),
                     [&](const Parameter& parameter) { return name == parameter.name; }))
      return std::string(tool.name) + " has no argument `" + name + "`";
  return "";
}

const char* verdict_name(int code) {
  switch (static_cast<ExitCode>(code)) {
    case ExitCode::Clear: return "clear";
    case ExitCode::Findings: return "findings";
    case ExitCode::Inconclusive: return "inconclusive";
    default: return "error";
  }
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "heddle-mcp-XXXXXX").string();
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

Json result_of(const Words& words, const std::string& folder, bool is_check) {
  const ProgramRun run = run_program(words, folder);
  const bool failed = run.code != 0 && std::string(verdict_name(run.code)) == "error";
  Json result = {{"content", {{{"type", "text"}, {"text", run.text}}}}, {"isError", failed}};
  result["structuredContent"] = {{"exitCode", run.code}};
  if (is_check) result["structuredContent"]["verdict"] = verdict_name(run.code);
  return result;
}

bool is_source(const fs::path& path) {
  const std::string ending = path.extension();
  for (const char* known : {".c", ".cc", ".cpp", ".cxx", ".c++", ".C"})
    if (ending == known) return true;
  return false;
}

// The words of a command that are no options.
Words places_of(const Json& arguments) {
  Words places = arguments.value("files", Words{});
  for (const Json& patched : arguments.value("texts", Json::array())) {
    const std::string path = patched["path"];
    const bool named = std::find(places.begin(), places.end(), path) != places.end();
    if (!named && is_source(path)) places.push_back(path);
  }
  for (const char* place : {"id", "place"})
    if (arguments.contains(place)) places.insert(places.begin(), arguments[place].get<std::string>());
  return places;
}

}  // namespace

Json list_of_tools() {
  Json list = Json::array();
  for (const Tool& tool : tools()) {
    Json properties = Json::object(), required = Json::array();
    for (const Parameter& parameter : tool.parameters) {
      properties[parameter.name] = schema_of(parameter);
      if (parameter.required) required.push_back(parameter.name);
    }
    list.push_back(
        {{"name", tool.name},
         {"description", tool.meaning},
         {"inputSchema",
          {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}}},
         {"annotations", {{"readOnlyHint", true}, {"openWorldHint", false}}}});
  }
  return list;
}

ToolAnswer call_tool(const std::string& name, const Json& arguments) {
  const auto tool = std::find_if(tools().begin(), tools().end(), [&](const Tool& t) { return t.name == name; });
  if (tool == tools().end()) return {{}, "there is no tool '" + name + "'"};
  if (std::string mistake = mistake_in(*tool, arguments); !mistake.empty()) return {{}, mistake};
  const bool is_check = name == "check" || name == "try_patch";
  Words words = {daemon::binary_directory() + "/heddle"};
  words.push_back(is_check ? "check" : name == "why" || name == "fix" ? name : "show");
  words.push_back("--color=never");
  if (name == "interleaving") words.push_back("--detail");
  if (arguments.value("full", false)) words.push_back("--full");
  if (arguments.contains("seconds")) words.push_back("--time-limit=" + arguments["seconds"].dump());
  std::error_code error;
  const std::string folder = arguments.value("folder", fs::current_path(error).string());
  if (!fs::is_directory(folder, error)) return {{}, "the folder " + folder + " does not exist"};
  if (name == "findings") words.push_back("");  // `show` takes an id first; an empty one stands for all findings
  for (const std::string& place : places_of(arguments)) {
    if (!can_be_argument(place)) return {{}, "'" + place + "' is no file, place or id"};
    words.push_back(place);
  }
  const TemporaryFolder texts;
  const Json patched = arguments.value("texts", Json::array());
  for (size_t n = 0; n < patched.size(); ++n) {
    const fs::path file = texts.path() / std::to_string(n);
    std::ofstream stream(file, std::ios::binary);
    stream << patched[n]["text"].get<std::string>();
    if (!stream.flush()) return {{}, "the text cannot be written to a temporary file"};
    words.push_back("--overlay=" + patched[n]["path"].get<std::string>() + "=" + file.string());
  }
  return {result_of(words, folder, is_check), ""};
}

}  // namespace heddle::client
