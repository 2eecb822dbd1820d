#include "server/frontend/command/unit_names.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace heddle::frontend {

namespace fs = std::filesystem;

size_t distance(const std::string& a, const std::string& b) {
  const fs::path relative = fs::path(a).parent_path().lexically_relative(fs::path(b).parent_path());
  return relative == "." ? 0 : static_cast<size_t>(std::distance(relative.begin(), relative.end()));
}

std::string name_of(const std::string& path, const std::string& root, bool with_extension) {
  const fs::path relative = fs::path(path).lexically_relative(root);
  const fs::path shown = relative.empty() || *relative.begin() == ".." ? fs::path(path).filename() : relative;
  return with_extension ? shown.generic_string() : fs::path(shown).replace_extension().generic_string();
}

std::string take_name(const std::vector<std::string>& names, std::set<std::string>& taken) {
  for (const std::string& name : names)
    if (taken.insert(name).second) return name;
  for (int number = 2;; ++number)
    if (const std::string name = names.back() + " " + std::to_string(number); taken.insert(name).second) return name;
}

bool is_name_of_main(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.ends_with("_main") || name.ends_with("-main") || name.ends_with("withmain");
}

}  // namespace heddle::frontend
