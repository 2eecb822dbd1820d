#include "server/engine/program_keys.h"

#include <algorithm>

#include "server/engine/store/portable.h"
#include "server/engine/store/shared_store.h"

namespace heddle::engine {

std::string text_key(const frontend::Target& target, const std::vector<CompiledUnitPtr>& units) {
  program::Hasher h;
  for (const CompiledUnitPtr& unit : units) {
    const bool member = std::any_of(target.units.begin(), target.units.end(),
                                    [&](const program::UnitPtr& u) { return u->path == unit->file; });
    if (!member) continue;
    h.hash(unit->key);
    for (const frontend::Dependency& dependency : unit->dependencies) h.hash(dependency.content);
  }
  return h.finish().hex();
}

std::string portable_key(Project& project, const Settings& settings, const frontend::Target& target,
                         const std::vector<CompiledUnitPtr>& units) {
  const PortablePaths paths(project.description().root, folder_of(project.description()));
  program::Hasher h;
  h.text(build_of_engine()).hash(settings.hash_of_build(0)).text(target.name);
  for (const program::UnitPtr& unit : target.units) {
    const auto found = std::find_if(units.begin(), units.end(),
                                    [&](const CompiledUnitPtr& compiled) { return compiled->unit == unit; });
    if (found == units.end()) {  // of the library
      h.hash(unit->content);
      continue;
    }
    h.text(paths.without_folders(unit->path));
    for (const frontend::CompileCommand& command : project.description().commands) {
      if (command.file != unit->path) continue;
      h.text(paths.without_folders(command.directory));
      for (const std::string& argument : command.arguments) h.text(paths.without_folders(argument));
    }
    h.hash(project.files().hash(unit->path).value_or(program::Hash{}));
    for (const frontend::Dependency& dependency : (*found)->dependencies)
      h.text(paths.without_folders(dependency.path)).hash(dependency.content);
  }
  return h.finish().hex();
}

}  // namespace heddle::engine
