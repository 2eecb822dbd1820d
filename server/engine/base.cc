#include "server/engine/base.h"

#include <algorithm>
#include <filesystem>

#include "server/disk/utf8_name.h"
#include "server/engine/files.h"

namespace heddle::engine {

namespace {

namespace fs = std::filesystem;
constexpr size_t kFilesMax = 20'000;

bool is_source(const fs::path& path) {
  static const std::vector<std::string> kExtensions = {".c", ".cc", ".cpp", ".cxx", ".def", ".h",
                                                       ".hh", ".hpp", ".hxx", ".inc", ".inl"};
  return std::binary_search(kExtensions.begin(), kExtensions.end(), path.extension().string());
}

}  // namespace

std::variant<std::vector<frontend::Overlay>, std::string> base_overlays(const frontend::Project& project,
                                                                        const std::string& base_name,
                                                                        const std::vector<std::string>& files) {
  const std::string base = disk::file_of_name(base_name);
  std::error_code error;
  std::vector<frontend::Overlay> out;
  if (fs::is_regular_file(base, error)) {
    std::string file;
    if (files.size() == 1)
      file = files[0];
    else if (files.empty() && project.commands.size() == 1)
      file = project.commands[0].file;
    else
      return "--base names a file, so exactly one file must be checked: name it, or give a folder to --base";
    std::optional<std::string> text = read_file(base);
    if (!text) return "the file '" + base_name + "' of --base cannot be read";
    out.push_back({file, std::move(*text)});
    return out;
  }
  if (!fs::is_directory(base, error)) return "'" + base_name + "' of --base does not exist: give a file or a folder";
  size_t seen = 0;
  for (auto at = fs::recursive_directory_iterator(base, fs::directory_options::skip_permission_denied, error);
       at != fs::recursive_directory_iterator() && seen < kFilesMax; at.increment(error)) {
    if (error) break;
    if (!at->is_regular_file(error) || !is_source(at->path())) continue;
    ++seen;
    const fs::path own = fs::path(project.root) / at->path().lexically_relative(base);
    if (std::optional<std::string> text = read_file(at->path().string())) out.push_back({own.string(), std::move(*text)});
  }
  if (out.empty()) return "the folder '" + base_name + "' of --base holds no C or C++ file";
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return out;
}

}  // namespace heddle::engine
