#include "server/engine/wanted_targets.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "server/text/nearest.h"

namespace heddle::engine {

namespace {

constexpr size_t kNamesMost = 24;  // of a message

using Time = int64_t;

std::vector<std::string> names_of(const frontend::Target& target) {
  std::vector<std::string> names = {target.name, target.build_name, target.program, target.test_case};
  names.insert(names.end(), target.also_named.begin(), target.also_named.end());
  std::erase(names, "");
  return names;
}

// Of each unit, the texts that it is made of, without those of libraries.
std::map<std::string, std::set<std::string>> texts_of(const Loaded& loaded) {
  std::map<std::string, std::set<std::string>> texts;
  for (const CompiledUnitPtr& unit : loaded.units) {
    std::set<std::string>& own = texts[unit->file];
    own.insert(unit->file);
    for (const frontend::Dependency& dependency : unit->dependencies)
      if (!dependency.system && dependency.file.empty()) own.insert(dependency.path);
  }
  return texts;
}

Time changed(const v1::CheckRequest& request, const std::string& path) {
  for (const std::string& file : request.files())
    if (file == path) return std::numeric_limits<Time>::max();
  for (const v1::Overlay& overlay : request.overlays())
    if (overlay.path() == path) return std::numeric_limits<Time>::max() - 1;
  std::error_code error;
  const auto time = std::filesystem::last_write_time(path, error);
  return error ? std::numeric_limits<Time>::min() : static_cast<Time>(time.time_since_epoch().count());
}

// The program of each target counts: its test cases share everything.
const std::string& program_of(const frontend::Target& target) {
  return target.program.empty() ? target.name : target.program;
}

// Of each program, when something last changed that it does not share with another one.
std::map<std::string, Time> work_on(const v1::CheckRequest& request, const Loaded& loaded,
                                    const std::vector<const frontend::Target*>& targets) {
  const auto texts = texts_of(loaded);
  std::map<std::string, std::set<std::string>> users;  // of a text
  for (const frontend::Target* target : targets)
    for (const program::UnitPtr& unit : target->units)
      if (const auto own = texts.find(unit->path); own != texts.end())
        for (const std::string& text : own->second) users[text].insert(program_of(*target));
  std::map<std::string, Time> newest;
  for (const auto& [text, programs] : users) {
    if (programs.size() != 1) continue;
    const auto known = newest.try_emplace(*programs.begin(), std::numeric_limits<Time>::min()).first;
    known->second = std::max(known->second, changed(request, text));
  }
  return newest;
}

// The units that the request's files are part of. A header stands for the units that read it.
std::set<std::string> touched_units(const v1::CheckRequest& request, const Loaded& loaded) {
  const std::set<std::string> files(request.files().begin(), request.files().end());
  std::set<std::string> touched;
  for (const CompiledUnitPtr& unit : loaded.units) {
    bool hit = files.count(unit->file) > 0;
    for (const frontend::Dependency& dependency : unit->dependencies) hit = hit || files.count(dependency.path) > 0;
    if (hit) touched.insert(unit->file);
  }
  return touched;
}

// ".heddle.yaml:3"
std::string place_of(const IgnoredPath& entry, const std::string& root) {
  return std::filesystem::path(entry.file).lexically_relative(root).string() + ":" + std::to_string(entry.line);
}

}  // namespace

bool is_called(const frontend::Target& target, const std::string& name) {
  const std::vector<std::string> names = names_of(target);
  return std::find(names.begin(), names.end(), name) != names.end();
}

void leave_out_ignored(const std::vector<IgnoredPath>& ignored, const std::string& root,
                       const v1::CheckRequest& request, Loaded& loaded) {
  std::map<std::string, std::vector<frontend::Target>> left_out;  // by what says so
  std::erase_if(loaded.targets.targets, [&](const frontend::Target& target) {
    if (!request.target().empty() && is_called(target, request.target())) return false;
    const IgnoredPath* entry = ignored_by(ignored, target.units.front()->path);
    if (!entry) return false;
    for (const program::UnitPtr& unit : target.units) loaded.ignored_files.emplace(unit->path, place_of(*entry, root));
    left_out[place_of(*entry, root)].push_back(target);
    return true;
  });
  for (const frontend::Target& target : loaded.targets.targets)
    for (const program::UnitPtr& unit : target.units) loaded.ignored_files.erase(unit->path);
  for (const std::string& file : request.files())
    if (const IgnoredPath* entry = ignored_by(ignored, file))
      loaded.ignored_files.emplace(file, place_of(*entry, root));
  for (const auto& [place, targets] : left_out)
    loaded.ignored.push_back("not checked, because " + place + " ignores them: " + shown_names(targets));
}

std::vector<const frontend::Target*> wanted_targets(const v1::CheckRequest& request, const Loaded& loaded,
                                                    const std::set<std::string>& touched_before,
                                                    const std::function<bool(const frontend::Target&)>& also) {
  const std::set<std::string> touched = touched_units(request, loaded);
  std::vector<const frontend::Target*> out;
  for (const frontend::Target& target : loaded.targets.targets) {
    if (!request.target().empty() && !is_called(target, request.target())) continue;
    if (also && !also(target)) continue;
    const bool any = touched_before.contains(target.name) ||
                     std::any_of(target.units.begin(), target.units.end(),
                                 [&](const program::UnitPtr& unit) { return touched.count(unit->path) > 0; });
    if (request.files().empty() || any || !request.target().empty()) out.push_back(&target);
  }
  // A name in the build counts before the path of a main that several programs share.
  if (std::any_of(out.begin(), out.end(), [&](const auto* target) { return target->name == request.target(); }))
    std::erase_if(out, [&](const auto* target) { return target->name != request.target(); });
  if (out.size() < 2) return out;
  std::map<std::string, Time> newest = work_on(request, loaded, out);
  const auto at = [&](const frontend::Target* target) {
    const auto found = newest.find(program_of(*target));
    return found == newest.end() ? std::numeric_limits<Time>::min() : found->second;
  };
  std::stable_sort(out.begin(), out.end(), [&](const auto* a, const auto* b) { return at(a) > at(b); });
  return out;
}

std::string shown_names(const std::vector<frontend::Target>& targets) {
  std::string names;
  for (size_t n = 0; n < targets.size() && n < kNamesMost; ++n) names += (n == 0 ? "" : ", ") + targets[n].name;
  if (targets.size() > kNamesMost) names += " and " + std::to_string(targets.size() - kNamesMost) + " more";
  return names.empty() ? "none" : names;
}

std::string no_such_target(const std::string& name, const std::vector<frontend::Target>& targets) {
  std::vector<std::string> known;
  for (const frontend::Target& target : targets) {
    const std::vector<std::string>& others = target.cases_not_run;
    if (std::find(others.begin(), others.end(), name) != others.end())
      return "the test case '" + name + "' cannot start a thread: it is not run";
    for (std::string& one : names_of(target)) known.push_back(std::move(one));
  }
  const std::string nearest = text::nearest(name, known);
  return "there is no target or test case '" + name + "'; " + (nearest.empty() ? "" : "'" + nearest + "' is near; ") +
         "the targets are: " + shown_names(targets);
}

}  // namespace heddle::engine
