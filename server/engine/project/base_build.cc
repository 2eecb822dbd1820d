#include "server/engine/project/base_build.h"

#include <filesystem>
#include <set>

#include "server/engine/store/files.h"
#include "server/frontend/command/project.h"

namespace heddle::engine {

namespace {

namespace fs = std::filesystem;

// What compile commands name as `@FILE`.
std::set<std::string> response_files(const frontend::Project& project) {
  std::set<std::string> files;
  for (const frontend::CompileCommand& command : project.commands)
    for (const std::string& argument : command.arguments)
      if (argument.starts_with('@') && argument.size() > 1)
        files.insert((fs::path(command.directory) / argument.substr(1)).lexically_normal().string());
  return files;
}

std::string shown(const std::string& path, const std::string& root) {
  const std::string relative = fs::path(path).lexically_relative(root).string();
  return relative.empty() || relative.starts_with("..") ? path : relative;
}

// The commands as they would be if the project lay in `root`.
std::set<std::vector<std::string>> moved_commands(const frontend::Project& project, const std::string& root) {
  std::set<std::vector<std::string>> commands;
  const auto moved = [&](std::string text) {
    for (size_t at = 0; (at = text.find(project.root, at)) != text.npos; at += root.size())
      text.replace(at, project.root.size(), root);
    return text;
  };
  for (const frontend::CompileCommand& command : project.commands) {
    std::vector<std::string> words = {moved(command.file), moved(command.directory)};
    for (const std::string& argument : command.arguments) words.push_back(moved(argument));
    commands.insert(std::move(words));
  }
  return commands;
}

bool commands_differ(const frontend::Project& project, const std::string& old_database) {
  const auto now = read_file(project.database), before = read_file(old_database);
  if (!before || before == now) return false;
  frontend::ProjectRequest wanted;
  wanted.database_directory = old_database;
  const auto found = frontend::find_project(wanted);
  const auto* old = std::get_if<frontend::Project>(&found);
  return old == nullptr || moved_commands(*old, project.root) != moved_commands(project, project.root);
}

std::vector<std::string> changed_in_folder(const std::string& folder, const frontend::Project& project,
                                           const std::vector<std::string>& settings_files) {
  std::vector<std::string> out;
  const auto old_place = [&](const std::string& path) {
    return (fs::path(folder) / fs::path(path).lexically_relative(project.root)).lexically_normal().string();
  };
  const auto is_inside = [&](const std::string& path) { return path.starts_with(project.root + "/"); };
  if (!project.database.empty() && is_inside(project.database) && commands_differ(project, old_place(project.database)))
    out.push_back(shown(project.database, project.root));
  std::set<std::string> others = response_files(project);
  others.insert(settings_files.begin(), settings_files.end());
  others.insert(project.root + "/.clangd");
  for (const std::string& path : others) {
    if (!is_inside(path)) continue;
    const auto before = read_file(old_place(path));
    if (before && before != read_file(path)) out.push_back(shown(path, project.root));
  }
  return out;
}

}  // namespace

std::vector<std::string> changed_build(const v1::CheckRequest& request, const frontend::Project& project,
                                       const std::vector<std::string>& settings_files) {
  std::error_code error;
  if (!request.has_base_texts())
    return fs::is_directory(request.base(), error) ? changed_in_folder(request.base(), project, settings_files)
                                                   : std::vector<std::string>{};
  std::set<std::string> named = response_files(project);
  named.insert(settings_files.begin(), settings_files.end());
  std::vector<std::string> out;
  for (const std::string& path : request.base_texts().build()) {
    const std::string folder = fs::path(path).parent_path().string() + "/";  // of a repository with several projects
    if (path.starts_with(project.root + "/") || (project.root + "/").starts_with(folder))
      out.push_back(shown(path, project.root));
  }
  const auto look_at = [&](const std::string& path) {
    if (named.contains(path)) out.push_back(shown(path, project.root));
  };
  for (const v1::Overlay& text : request.base_texts().files()) look_at(text.path());
  for (const std::string& path : request.base_texts().absent()) look_at(path);
  return out;
}

}  // namespace heddle::engine
