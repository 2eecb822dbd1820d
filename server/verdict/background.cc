#include "server/verdict/background.h"

#include "server/verdict/steps.h"

namespace heddle::verdict {

std::string phase_of(const Background& background) {
  return name_of(Phase::Background) + (" " + background.part) + " " + background.target;
}

std::optional<Background> background_of(const std::string& phase) {
  const std::string begin = std::string(name_of(Phase::Background)) + " ";
  if (!phase.starts_with(begin)) return std::nullopt;
  const size_t end = phase.find(' ', begin.size());
  if (end == phase.npos) return std::nullopt;
  return Background{phase.substr(begin.size(), end - begin.size()), phase.substr(end + 1)};
}

}  // namespace heddle::verdict
