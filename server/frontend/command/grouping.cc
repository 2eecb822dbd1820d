#include "server/frontend/command/grouping.h"

#include <filesystem>

namespace heddle::frontend {

Grouping::Grouping(ObjectFolders folders, const std::vector<BuildTarget>& targets) {
  if (targets.empty()) folders_ = std::move(folders);
  for (const BuildTarget& target : targets) {
    targets_.emplace(target.id, target);
    for (const std::string& source : target.sources) folders_[source].push_back({target.id, target.name});
    if (target.kind == BuildKind::Program) linked_.insert(target.links.begin(), target.links.end());
  }
}

const std::vector<ObjectFolder>& Grouping::of(const std::string& source) const {
  static const std::vector<ObjectFolder> kNone;
  const auto found = folders_.find(source);
  return found == folders_.end() ? kNone : found->second;
}

std::set<std::string> Grouping::linked(const std::string& id) const {
  const std::vector<std::string>& links = target(id).links;
  std::set<std::string> all(links.begin(), links.end());
  all.insert(id);
  return all;
}

std::set<std::string> Grouping::linked_whole(const std::string& id) const {
  const BuildTarget& one = target(id);
  std::set<std::string> all(one.whole.begin(), one.whole.end());
  for (const std::string& link : one.links)  // a shared library is loaded as a whole
    if (const auto found = targets_.find(link);
        found != targets_.end() && found->second.kind == BuildKind::SharedLibrary)
      all.insert(link);
  return all;
}

std::vector<std::string> Grouping::absent(const std::string& id) const {
  std::vector<std::string> sentences;
  for (const std::string& one : linked(id)) {
    const auto found = targets_.find(one);
    if (found == targets_.end()) continue;
    for (const std::string& source : found->second.absent)
      sentences.push_back("the build generates " + std::filesystem::path(source).filename().string() + " of '" +
                          found->second.name + "' and has not done so yet: build '" + found->second.name + "' once");
  }
  return sentences;
}

}  // namespace heddle::frontend
