// Where builds put the objects of a program, by the outputs of compile commands.
#include <filesystem>
#include <optional>
#include <string_view>

#include "server/frontend/command/targets.h"

namespace heddle::frontend {

namespace {

namespace fs = std::filesystem;

// Up to a folder of which the name ends like this: what is before it, and the name without the ending.
std::optional<ObjectFolder> folder_ending(const std::string& output, std::string_view ending) {
  for (size_t end = output.find(std::string(ending) + "/"); end != std::string::npos;
       end = output.find(std::string(ending) + "/", end + 1)) {
    const size_t slash = output.rfind('/', end);
    const size_t begin = slash == std::string::npos ? 0 : slash + 1;
    if (begin == end) continue;
    return ObjectFolder{output.substr(0, end + ending.size()), output.substr(begin, end - begin)};
  }
  return std::nullopt;
}

std::optional<ObjectFolder> cmake_folder(const std::string& output) {
  const size_t files = output.find("CMakeFiles/");
  if (files == std::string::npos) return std::nullopt;
  const size_t begin = files + std::string_view("CMakeFiles/").size();
  const size_t end = output.find(".dir/", begin);
  if (end == std::string::npos || output.find('/', begin) < end) return std::nullopt;
  return ObjectFolder{output.substr(0, end + 4), output.substr(begin, end - begin)};
}

std::optional<ObjectFolder> bazel_folder(const std::string& output) {
  constexpr std::string_view kObjects = "/_objs/";
  const size_t objects = output.find(kObjects);
  if (objects == std::string::npos) return std::nullopt;
  const size_t begin = objects + kObjects.size(), end = output.find('/', begin);
  if (end == std::string::npos) return std::nullopt;
  return ObjectFolder{output.substr(0, end), output.substr(begin, end - begin)};
}

// Automake with per-target flags: program-file.o
std::optional<ObjectFolder> automake_prefix(const std::string& output, const std::string& file) {
  const std::string object = fs::path(output).stem().string(), source = fs::path(file).stem().string();
  if (object.size() <= source.size() + 1 || !object.ends_with("-" + source)) return std::nullopt;
  const std::string name = object.substr(0, object.size() - source.size() - 1);
  return ObjectFolder{(fs::path(output).parent_path() / (name + "-")).string(), name};
}

std::optional<ObjectFolder> object_folder(const std::string& output, const std::string& file) {
  if (auto found = cmake_folder(output)) return found;
  if (auto found = bazel_folder(output)) return found;
  for (const char* meson : {".p", "@exe", "@sta", "@sha"})
    if (auto found = folder_ending(output, meson)) return found;
  return automake_prefix(output, file);
}

}  // namespace

std::vector<std::string> groups_of(const CompileCommand& command) {
  std::vector<std::string> names;
  for (const std::string& output : command.outputs)
    if (const auto found = object_folder(output, command.file)) names.push_back(found->name);
  return names;
}

ObjectFolders object_folders(const std::vector<CompileCommand>& commands) {
  ObjectFolders folders;
  for (const CompileCommand& command : commands)
    for (const std::string& output : command.outputs)
      if (auto found = object_folder(output, command.file)) folders[command.file].push_back(std::move(*found));
  return folders;
}

}  // namespace heddle::frontend
