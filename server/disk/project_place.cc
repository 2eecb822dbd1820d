#include "server/disk/project_place.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

namespace heddle::disk {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDatabase = "compile_commands.json";
constexpr const char* kFlagsFile = "compile_flags.txt";
constexpr int kEntriesMax = 2000;  // of a folder, that are looked at

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !error;
}

// "build", "build-debug", "build2", "outDebug"; not "builder" or "outline", which are words.
bool is_build_name(const std::string& name) {
  if (name == "builddir" || name == "_build" || name == ".build" || name.starts_with("cmake-build")) return true;
  for (const std::string stem : {"build", "out"}) {
    if (!name.starts_with(stem)) continue;
    if (name.size() == stem.size() || !std::islower(static_cast<unsigned char>(name[stem.size()]))) return true;
  }
  return false;
}

// Builds write objects and generated text into folders of their own, but neither these files nor sources next to them.
bool is_source_folder(const fs::path& folder) {
  for (const char* mark : {".git", ".hg", ".svn", ".heddle.yaml", "CMakeLists.txt", "meson.build", "configure"})
    if (is_there(folder / mark)) return true;
  std::error_code error;
  int seen = 0;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && seen < kEntriesMax; at.increment(error)) {
    const std::string extension = at->path().extension().string();
    if (extension == ".c" || extension == ".cc" || extension == ".cpp" || extension == ".cxx") return true;
    ++seen;
  }
  return false;
}

bool is_build_folder(const fs::path& folder) {
  return is_build_name(folder.filename().string()) && folder.parent_path() != folder.root_path() &&
         !is_source_folder(folder);
}

// The nearest file of this name, in the folder or in one that contains it.
template <typename Candidates>
std::string nearest(const fs::path& start, const Candidates& candidates) {
  for (fs::path at = start;; at = at.parent_path()) {
    for (const fs::path& name : candidates)
      if (is_there(at / name)) return (at / name).string();
    if (at == at.parent_path()) return {};
  }
}

}  // namespace

std::string database_in(const std::string& directory) {
  const fs::path given = directory;
  for (const fs::path& candidate : {given / kDatabase, given / "build" / kDatabase, given})
    if (candidate.filename() == kDatabase && is_there(candidate)) return candidate.string();
  return {};
}

std::string root_of_database(const std::string& folder) {
  fs::path at = folder;
  if (at.has_relative_path() && at.filename().empty()) at = at.parent_path();  // a slash at the end
  const fs::path given = at;
  if (!is_build_folder(at)) {
    if (!is_build_folder(at.parent_path()) || is_source_folder(at)) return given.string();
    at = at.parent_path();
  }
  while (is_build_folder(at)) at = at.parent_path();
  return at.string();
}

ProjectPlace find_project_place(const std::vector<std::string>& files, const std::string& database_directory,
                                const std::string& current_directory, bool flags_given) {
  const fs::path start = files.empty() ? fs::path(current_directory) : fs::path(files.front()).parent_path();
  if (flags_given && !files.empty()) return {current_directory, true};
  ProjectPlace place;
  if (!database_directory.empty()) {
    place.database = database_in(database_directory);
    const bool found = !place.database.empty();
    place.root = root_of_database(found ? fs::path(place.database).parent_path().string() : database_directory);
    return place;
  }
  place.database = nearest(start, std::vector<fs::path>{kDatabase, fs::path("build") / kDatabase});
  place.flags_file = nearest(start, std::vector<fs::path>{kFlagsFile});
  if (!place.database.empty()) {
    place.root = root_of_database(fs::path(place.database).parent_path().string());
    return place;
  }
  place.lone_file = place.flags_file.empty();
  place.root = place.lone_file ? start.string() : fs::path(place.flags_file).parent_path().string();
  return place;
}

}  // namespace heddle::disk
