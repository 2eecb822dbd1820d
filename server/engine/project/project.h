// Keeps a project warm between checks: its compile commands, units, ledger and recent versions.
//
// In:      requests that name files, a database or flags.
// Out:     compiled units and targets.
// Owns:    per Project, its cache folder's path, ledger, units and versions. Projects owns the projects.
// Threads: one.
// Fails:   find() returns a ProjectError with a remedy. Units with errors are listed in `failed`; targets use the last
//          unit of such a file that compiled.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "heddle/v1/heddle.pb.h"
#include "server/engine/explorers/explorers.h"
#include "server/engine/project/units.h"
#include "server/engine/settings/suppressions.h"
#include "server/engine/store/cache.h"
#include "server/engine/store/files.h"
#include "server/engine/store/ledger.h"
#include "server/engine/store/version.h"
#include "server/frontend/command/own_names.h"
#include "server/frontend/command/target_sections.h"
#include "server/frontend/command/targets.h"
#include "server/frontend/command/test_cases.h"
#include "server/frontend/command/wrapped_names.h"

namespace heddle::engine {

// Whether the user's folder for caches is the place, or the project's.
CacheFolder::Of cache_kind(const frontend::Project& description);

struct Loaded {
  std::vector<CompiledUnitPtr> units;  // in the order of the commands
  frontend::TargetSet targets;         // of the units that compile, and the last good ones of those that do not
  std::vector<CompiledUnitPtr> failed;
  std::vector<std::string> unknown_failed;           // failed files that never compiled: what they define is not known
  std::vector<std::string> ignored;                  // sentences: programs that the settings leave out
  std::map<std::string, std::string> ignored_files;  // of these programs or covered otherwise: path -> ".heddle.yaml:3"
  bool interrupted = false;
};

class Project {
 public:
  Project(frontend::Project description, const std::string& folder)
      : description_(std::move(description)),
        cache_(folder, cache_kind(description_)),
        ledger_(cache_.path()),
        units_(cache_, ledger_) {}

  void set_description(frontend::Project description) { description_ = std::move(description); }
  void add_command(const frontend::CompileCommand& command) { description_.commands.push_back(command); }
  const frontend::Project& description() const { return description_; }
  // Whether the build links the source into that program, or does not say.
  bool may_link(const frontend::Target& target, const std::string& source) const {
    return frontend::may_link(description().build, target.build_name, source);
  }
  // C and C++ files that are compiled into the project although no command names them.
  void set_models(std::vector<std::string> models) { models_ = std::move(models); }
  CacheFolder& cache() { return cache_; }
  Ledger& ledger() { return ledger_; }
  UnitStore& units() { return units_; }
  FileStates& files() { return files_; }
  CommentCache& comments() { return comments_; }
  RecentVersions& versions() { return versions_; }

  Loaded load(std::vector<frontend::Overlay> overlays, const std::function<void(const std::string&)>& compiling,
              const Interrupt& interrupt);
  // The programs of these units, with one per test case. Units of which a program is linked from an object of its own are
  // compiled once more for it; `compiled` gets them.
  frontend::TargetSet find_targets(const std::vector<program::UnitPtr>& units,
                                   const std::function<void(const std::string&)>& compiling,
                                   std::vector<CompiledUnitPtr>& compiled);
  // Adds the library units that a target needs. load() does this for the targets it returns.
  void add_library(frontend::Target& target, const std::function<void(const std::string&)>& compiling);
  // The version of a record, if all of its units are still in the cache.
  VersionPtr version_of(const v1::VersionRecord& record);
  // The newest version of a target, set before its check.
  void set_newest(const std::string& target, VersionPtr version) { newest_[target] = std::move(version); }
  VersionPtr newest(const std::string& target) const {
    const auto found = newest_.find(target);
    return found == newest_.end() ? nullptr : found->second;
  }
  v1::VersionRecord record_of(Version& version);
  // Of the last check of the files as they are: what did not compile.
  void set_failed(std::vector<CompiledUnitPtr> failed) { failed_ = std::move(failed); }
  const std::vector<CompiledUnitPtr>& failed() const { return failed_; }
  // Compiles these files as the disk has them; those that do not compile. REQUIRES: no check runs.
  std::vector<CompiledUnitPtr> compile_failures(const std::vector<std::string>& files);
  // Absolute paths of the files that verdicts depend on, without system headers; sorted.
  std::vector<std::string> watched_files(const Loaded& loaded) const;
  // Absolute paths that a compile looked for and did not find, without those in /usr; sorted.
  std::vector<std::string> watched_absences(const Loaded& loaded) const;
  // Prepares the next save: of files that are open, and once of those that were saved last, as the units may all have
  // come from the cache. Does not wait.
  void prepare(const std::set<std::string>& open);
  // Removes units that no target record refers to from the cache, if the cache is large.
  void tidy();

 private:
  program::UnitPtr known_unit(const std::string& file);
  void use_own_objects(frontend::Target& target, const std::function<void(const std::string&)>& compiling,
                       std::vector<CompiledUnitPtr>& compiled);

  frontend::Project description_;
  std::vector<std::string> models_;
  frontend::OwnNames own_names_;
  frontend::WrappedNames wrapped_names_;
  frontend::TargetSections sections_;
  frontend::CaseTargets cases_;
  CacheFolder cache_;
  Ledger ledger_;
  UnitStore units_;
  FileStates files_;
  CommentCache comments_;
  RecentVersions versions_;
  std::map<std::string, VersionPtr> newest_;
  std::vector<CompiledUnitPtr> failed_;
  bool prepared_saved_ = false;
};

// The folder whose .cache/heddle a project uses: that of the compile database, else the root.
std::string folder_of(const frontend::Project& description);

// Finds the project of a request, warm or new.
class Projects {
 public:
  using Result = std::variant<Project*, frontend::ProjectError>;
  // Where there is no database and no file is named: the lone files that were checked in the folder as the program that
  // the request names, or as the only one.
  Result find(const v1::CheckRequest& request);
  // A project that was checked before, in this session or (by the cache folder it left) an earlier one; null if none.
  Project* known(const std::string& root);
  // Forgets the least recently used projects if there are 16 or more. Pointers to them become invalid.
  void trim();

 private:
  std::vector<std::pair<std::string, std::unique_ptr<Project>>> projects_;  // by key; most recently used last
};

}  // namespace heddle::engine
