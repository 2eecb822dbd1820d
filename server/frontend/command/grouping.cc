#include "server/frontend/command/grouping.h"

#include <algorithm>
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

// The static library from which the linker takes it if it is needed; empty: it is linked anyhow, or in none.
std::string Grouping::archive_of(const Making& program, size_t unit, const std::string& source) const {
  if (program.members.contains(unit)) return "";
  for (const ObjectFolder& folder : of(source))
    if (program.linked.contains(folder.id) && target(folder.id).kind == BuildKind::StaticLibrary) return folder.id;
  return "";
}

void Grouping::leave_in_archives(const Making& program, bool defined, std::vector<size_t>& definers,
                                 const std::function<std::string(size_t)>& path_of) const {
  defined =
      defined || std::any_of(definers.begin(), definers.end(), [&](size_t n) { return program.members.contains(n); });
  const auto place_in = [&](const std::string& archive, size_t n) {
    const std::vector<std::string>& sources = target(archive).sources;
    return std::find(sources.begin(), sources.end(), path_of(n)) - sources.begin();
  };
  const std::vector<size_t> all = definers;
  std::erase_if(definers, [&](size_t n) {
    const std::string archive = archive_of(program, n, path_of(n));
    return !archive.empty() && (defined || std::any_of(all.begin(), all.end(), [&](size_t other) {
                                  return archive_of(program, other, path_of(other)) == archive &&
                                         place_in(archive, other) < place_in(archive, n);
                                }));
  });
}

}  // namespace heddle::frontend
