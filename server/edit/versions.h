// Matches the functions, variables and objects of two versions.
//
// In:      facts of both versions.
// Out:     matches by name, and of objects by the place that makes them; labels that are equal for matched objects.
// Cost:    near linear in functions and objects.
// Owns:    its tables; shares the facts.
// Threads: immutable after construction, readable anywhere.
// Fails:   never; an old object whose counterpart is uncertain maps to every candidate.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "server/analysis/analysis.h"

namespace heddle::edit {

using analysis::Facts;
using analysis::FactsPtr;
using analysis::FunctionId;
using analysis::GlobalId;
using analysis::ObjectId;
using program::CodeAddress;

// Names that identify across versions: the link name, and for internal symbols the unit's path below the common folder.
class Names {
 public:
  Names(const program::Program& program,
        bool ignore_paths);            // for two programs of one file each: names do not contain the file's path
  std::string of(FunctionId f) const;  // a clone's name differs from its original's
  std::string of(GlobalId g) const;
  std::string of_place(FunctionId f) const;  // clones have their original's: they make the same objects

 private:
  std::string of(program::UnitId unit, program::SymbolId symbol) const;
  const program::Program& program_;
  size_t prefix_ = 0;
};

class Versions {
 public:
  struct Functions {
    Functions(const program::Program& before, const program::Program& after);
    std::vector<FunctionId> old_of, new_of;
  };

  Versions(const FactsPtr& before, const FactsPtr& after);

  const Facts& before() const { return *before_; }
  const Facts& after() const { return *after_; }
  FunctionId old_of(FunctionId f) const { return functions_.old_of[f.value]; }
  FunctionId new_of(FunctionId f) const { return functions_.new_of[f.value]; }
  GlobalId old_of(GlobalId g) const { return old_global_[g.value]; }
  GlobalId new_of(GlobalId g) const { return new_global_[g.value]; }
  bool same_code(FunctionId after) const;

  std::vector<ObjectId> map(const std::vector<ObjectId>& old_objects) const;  // sorted, in the new version
  // Stack objects of a matched function: equal numbers are the same variable.
  struct Stack {
    std::vector<uint64_t> before, after;
  };
  Stack match_stack(FunctionId before, FunctionId after) const;
  uint64_t label_before(ObjectId o) const { return labels_before_[o.value]; }
  uint64_t label_after(ObjectId o) const { return labels_after_[o.value]; }

 private:
  class Labels;

  bool same_parts(ObjectId before, ObjectId after) const;
  void match_objects(const Names& old_names, const Names& new_names);
  void add_parts(ObjectId whole, const std::vector<ObjectId>& now, std::vector<ObjectId>& matches) const;

  FactsPtr before_, after_;
  Functions functions_;
  std::vector<GlobalId> old_global_, new_global_;
  std::vector<std::vector<ObjectId>> new_objects_;
  std::vector<uint64_t> labels_before_, labels_after_;
};

}  // namespace heddle::edit
