#include "client/command_line/write_text.h"

#include <filesystem>

#include "server/disk/replacement.h"
#include "server/disk/utf8_name.h"

namespace heddle::client {

namespace fs = std::filesystem;

// Where a checkout has made a link of the file, it has to lead into the same checkout.
std::optional<Failure> write_text(const std::string& name, const std::string& text) {
  const std::string path = disk::file_of_name(name);
  std::error_code error;
  fs::path folder = fs::path(path).parent_path();
  while (folder.has_relative_path() && !fs::exists(folder / ".git", error)) folder = folder.parent_path();
  if (!folder.has_relative_path()) folder = fs::path(path).parent_path();
  const fs::path real = fs::weakly_canonical(path, error), top = fs::weakly_canonical(folder, error);
  const std::string below = real.lexically_relative(top).string();
  if (fs::is_symlink(path, error) && (below.empty() || below.starts_with("..")))
    return Failure{name + " is a link that leads to " + real.string() + ", out of " + top.string(),
                   "change it there by hand"};
  std::string problem;
  if (disk::replace_file(path, text, &problem)) return std::nullopt;
  return Failure{name + " " + problem, "nothing was changed"};
}

}  // namespace heddle::client
