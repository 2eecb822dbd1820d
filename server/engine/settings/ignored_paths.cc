#include "server/engine/settings/ignored_paths.h"

#include <fnmatch.h>

namespace heddle::engine {

const IgnoredPath* ignored_by(const std::vector<IgnoredPath>& ignored, const std::string& path) {
  for (const IgnoredPath& entry : ignored) {
    if (fnmatch(entry.pattern.c_str(), path.c_str(), FNM_NOESCAPE) == 0) return &entry;
    if (fnmatch((entry.pattern + "/*").c_str(), path.c_str(), FNM_NOESCAPE) == 0) return &entry;
  }
  return nullptr;
}

}  // namespace heddle::engine
