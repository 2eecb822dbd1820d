// Answers which objects a build links together, as it says itself or as the folders of its objects suggest.
// Internal to this folder.
//
// In:      folders of objects, and what the build says of its targets (build_targets.h), if it says something.
// Out:     the groups of a source; of a group its kind and the groups that are linked with it.
// Cost:    linear in targets and sources.
// Owns:    copies.
// Threads: immutable after construction.
// Fails:   never. Where the build says nothing, known() is false, and only the groups of sources are there.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/frontend/command/build_targets.h"
#include "server/frontend/command/making.h"
#include "server/frontend/command/targets.h"

namespace heddle::frontend {

class Grouping {
 public:
  Grouping(ObjectFolders folders, const std::vector<BuildTarget>& targets);

  bool known() const { return !targets_.empty(); }
  const std::vector<ObjectFolder>& of(const std::string& source) const;
  // Of these sources: path -> whose object of it the program is linked from, its own, that of a library that it is
  // linked with, else that of some library; empty: not known.
  std::map<std::string, std::string> objects_of(const Making& program, const std::vector<program::UnitPtr>& units,
                                                const std::set<std::string>& sources,
                                                const std::function<bool(const std::string&)>& is_program) const;
  // REQUIRES known(), of the following.
  const BuildTarget& target(const std::string& id) const { return targets_.at(id); }
  bool is_program(const std::string& id) const { return target(id).kind == BuildKind::Program; }
  // The group itself and what is linked with it; of these, what is linked whether needed or not.
  std::set<std::string> linked(const std::string& id) const;
  std::set<std::string> linked_whole(const std::string& id) const;
  bool is_linked_somewhere(const std::string& id) const { return linked_.contains(id); }
  // The source is linked into shared libraries, and not into the program itself.
  bool is_linked_before(const Making& program, const std::string& source) const;
  // Of a static library the linker takes an object only for a name that nothing defines yet: the first one that defines
  // it, weak or not. Of the units that define one name it leaves those that may be linked. `defined`: by main's unit.
  void leave_in_archives(const Making& program, bool defined, std::vector<size_t>& definers,
                         const std::function<std::string(size_t)>& path_of) const;
  // Sentences: generated sources that are not there yet.
  std::vector<std::string> absent(const std::string& id) const;

 private:
  std::string archive_of(const Making& program, size_t unit, const std::string& source) const;

  ObjectFolders folders_;
  std::map<std::string, BuildTarget> targets_;  // by id
  std::set<std::string> linked_;                // ids of libraries
};

}  // namespace heddle::frontend
