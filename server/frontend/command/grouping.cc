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

std::map<std::string, std::string> Grouping::objects_of(
    const Making& program, const std::vector<program::UnitPtr>& units, const std::set<std::string>& sources,
    const std::function<bool(const std::string&)>& is_program) const {
  const std::function<bool(const std::string&)> fits[] = {
      [&](const std::string& id) { return program.folders.contains(id); },
      [&](const std::string& id) { return program.linked.contains(id); },
      [&](const std::string& id) { return !is_program(id); }};
  Members all = program.members;
  all.insert(program.main);
  std::map<std::string, std::string> objects;
  for (const size_t n : all) {
    const std::string& path = units[n]->path;
    if (!sources.contains(path)) continue;
    std::string& name = objects[path];
    for (const auto& one : fits)
      for (const ObjectFolder& folder : of(path))
        if (name.empty() && one(folder.id)) name = folder.name;
  }
  return objects;
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

bool Grouping::is_linked_before(const Making& program, const std::string& source) const {
  bool before = false;
  for (const ObjectFolder& folder : of(source)) {
    if (!known() || !program.linked.contains(folder.id)) continue;
    if (target(folder.id).kind != BuildKind::SharedLibrary) return false;
    before = true;
  }
  return before;
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
