#include "server/frontend/reuse/still_linked.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace heddle::frontend {

bool still_linked(const std::vector<Dependency>& dependencies) {
  std::vector<const Dependency*> sorted;
  for (const Dependency& d : dependencies)
    if (!d.system) sorted.push_back(&d);
  const auto order = [](const Dependency& d) { return std::pair(d.content.high, d.content.low); };
  std::sort(sorted.begin(), sorted.end(), [&](const auto* x, const auto* y) { return order(*x) < order(*y); });
  const auto one_file = [](const Dependency& x, const Dependency& y) {
    std::error_code error;
    return std::filesystem::equivalent(x.path, y.path, error) && !error;
  };
  const auto file_of = [](const Dependency& d) -> const std::string& { return d.file.empty() ? d.path : d.file; };
  for (size_t n = 0; n < sorted.size(); ++n)
    for (size_t k = n + 1; k < sorted.size() && sorted[k]->content == sorted[n]->content; ++k)
      if (one_file(*sorted[n], *sorted[k]) != (file_of(*sorted[n]) == file_of(*sorted[k]))) return false;
  return true;
}

}  // namespace heddle::frontend
