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
#include "server/edit/names.h"

namespace heddle::edit {

using analysis::Facts;
using analysis::FactsPtr;
using analysis::ObjectId;
using program::CodeAddress;

class Versions {
 public:
  struct Functions {
    Functions(const program::Program& before, const program::Program& after, const BothNames& names);
    std::vector<FunctionId> old_of, new_of;
  };

  Versions(const FactsPtr& before, const FactsPtr& after);

  const Facts& before() const { return *before_; }
  const Facts& after() const { return *after_; }
  FunctionId old_of(FunctionId f) const { return functions_.old_of[f.value]; }
  FunctionId new_of(FunctionId f) const { return functions_.new_of[f.value]; }
  GlobalId old_of(GlobalId g) const { return old_global_[g.value]; }
  GlobalId new_of(GlobalId g) const { return new_global_[g.value]; }
  bool same_code(FunctionId after) const { return same_code_[after.value]; }
  bool same_value(GlobalId after) const;  // size, storage and what it holds at the beginning

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
  void match_objects();
  void add_parts(ObjectId whole, const std::vector<ObjectId>& now, std::vector<ObjectId>& matches) const;

  FactsPtr before_, after_;
  BothNames names_;
  Functions functions_;
  std::vector<bool> same_code_;  // by function of the new version
  std::vector<GlobalId> old_global_, new_global_;
  std::vector<std::vector<ObjectId>> new_objects_;
  std::vector<uint64_t> labels_before_, labels_after_;
};

}  // namespace heddle::edit
