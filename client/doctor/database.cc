#include "client/doctor/database.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "client/doctor/program_run.h"
#include "client/report/numbers.h"
#include "server/daemon/paths.h"

namespace heddle::client {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr char kName[] = "compile_commands.json";
const std::vector<std::string> kMakeIt = {"cmake", "-S", ".", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"};

std::string words_of(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

bool exists(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string find_database(const std::string& root, const std::string& given) {
  const std::vector<std::string> folders =
      given.empty() ? std::vector<std::string>{root, root + "/build"} : std::vector<std::string>{given};
  for (const std::string& folder : folders) {
    if (folder.ends_with(kName)) return folder;
    if (exists(folder + "/" + kName)) return folder + "/" + kName;
  }
  return "";
}

struct Contents {
  size_t entries = 0, twice = 0;
  std::vector<std::string> missing;  // files that are not there
  std::set<std::string> compilers;
  std::string problem;  // not empty: the file cannot be understood
};

std::string compiler_of(const json& entry) {
  if (entry.contains("arguments") && entry["arguments"].is_array() && !entry["arguments"].empty())
    return entry["arguments"][0].is_string() ? entry["arguments"][0].get<std::string>() : "";
  std::istringstream command(entry.value("command", std::string()));
  std::string word;
  command >> word;
  return word;
}

Contents read_database(const std::string& path) {
  Contents out;
  std::ifstream file(path, std::ios::binary);
  const json entries = json::parse(file, nullptr, false);
  if (entries.is_discarded() || !entries.is_array()) {
    out.problem = "it is no JSON list";
    return out;
  }
  std::set<std::string> seen;
  for (const json& entry : entries) {
    if (!entry.is_object() || !entry.contains("file") || !entry["file"].is_string()) {
      out.problem = "entry " + std::to_string(out.entries + 1) + " names no file";
      return out;
    }
    ++out.entries;
    const json& directory = entry.contains("directory") ? entry["directory"] : json();
    const std::string name = daemon::absolute_path(
        entry["file"].get<std::string>(),
        directory.is_string() ? directory.get<std::string>() : fs::path(path).parent_path().string());
    if (!seen.insert(name).second)
      ++out.twice;
    else if (!exists(name))
      out.missing.push_back(name);
    const json& command = entry.contains("command") ? entry["command"] : json();
    if (command.is_null() || command.is_string()) out.compilers.insert(compiler_of(entry));
  }
  out.compilers.erase("");
  return out;
}

double age_hours(const std::string& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  return std::chrono::duration<double>(fs::file_time_type::clock::now() - time).count() / 3600;
}

std::string age_words(double hours) {
  if (hours < 1) return "written less than an hour ago";
  if (hours < 48) return "written " + std::to_string(static_cast<int>(hours)) + " h ago";
  return "written " + std::to_string(static_cast<int>(hours / 24)) + " days ago";
}

// A build description that changed after the database was written.
std::string newer_description(const std::string& root, const std::string& database) {
  std::error_code error;
  const auto written = fs::last_write_time(database, error);
  for (const char* name : {"CMakeLists.txt", "meson.build", "Makefile"}) {
    const std::string path = root + "/" + name;
    if (exists(path) && fs::last_write_time(path, error) > written) return name;
  }
  return "";
}

DoctorLine absent_database(const std::string& folder, bool cmake) {
  if (exists(folder + "/compile_flags.txt"))
    return {"database", LineState::Ok, "no " + std::string(kName) + ", but compile_flags.txt: name the files to check",
            ""};
  const std::string message = "no " + std::string(kName) + " in " + folder + ", its parents, or build/ in each";
  if (cmake) return {"database", LineState::Error, message, "`" + words_of(kMakeIt) + "`", true};
  return {"database", LineState::Warning, message,
          "`bear -- make` writes one. Single files are checked without: heddle check FILE -- FLAGS"};
}

DoctorLine database_line(const std::string& root, const std::string& path, const Contents& contents) {
  if (!contents.problem.empty())
    return {"database", LineState::Error, path + ": " + contents.problem, "write it again, or name another by -p"};
  std::string message = path + ": " + counted(contents.entries, "entry", "entries") + ", " + age_words(age_hours(path));
  if (contents.twice > 0)
    message += ", " + counted(contents.twice, "file") + " more than once (the first entry counts)";
  if (contents.entries == 0) return {"database", LineState::Error, message, "it is empty: write it again"};
  if (!contents.missing.empty()) {
    message += "; " + counted(contents.missing.size(), "file") + " of it missing: " + contents.missing.front();
    return {"database", LineState::Warning, message + (contents.missing.size() > 1 ? ", ..." : ""),
            "build the project once (some files may be generated), or write the database again"};
  }
  if (const std::string newer = newer_description(root, path); !newer.empty())
    return {"database", LineState::Warning, message + "; " + newer + " is newer", "write it again"};
  return {"database", LineState::Ok, message, ""};
}

DoctorLine compiler_line(const Contents& contents) {
  std::string found, absent;
  for (const std::string& compiler : contents.compilers) {
    std::string& list = is_on_path(compiler) ? found : absent;
    list += (list.empty() ? "" : ", ") + compiler;
  }
  if (absent.empty()) return {"compiler", LineState::Ok, "the database names " + found, ""};
  return {"compiler", LineState::Warning, "the database names " + absent + ", which is not installed here",
          "Heddle compiles with its own Clang; but headers that came with that compiler may be missing"};
}

}  // namespace

DoctorLines database_lines(const std::string& root, const std::string& given, const std::string& folder, bool fix) {
  std::string path = find_database(root, given);
  bool made = false;
  if (path.empty()) {
    const bool cmake = exists(folder + "/CMakeLists.txt");
    DoctorLine line = absent_database(folder, cmake);
    if (!fix || !line.fixable) return {line};
    const ProgramRun run = run_program(kMakeIt, folder);
    path = find_database(folder, "");
    made = run.code == 0 && !path.empty();
    if (!made) {
      const size_t error = run.text.find("CMake Error");
      const std::string why = run.text.substr(error == std::string::npos ? 0 : error);
      line.message += "; `" + words_of(kMakeIt) + "` failed: " + why.substr(0, why.find("\n\n"));
      line.remedy = "see what it says, then run it by hand";
      return {line};
    }
  }
  const Contents contents = read_database(path);
  DoctorLine line = database_line(root, path, contents);
  line.fixed = made;
  if (!contents.problem.empty() || contents.compilers.empty()) return {line};
  return {line, compiler_line(contents)};
}

}  // namespace heddle::client
