// Which objects an access may touch when a certain role runs it: of two variables that are given to one function, each
// role may use its own.
//
// In:      facts of one version; the control and data flow of its functions (null: no role runs it).
// Out:     per role and access, its objects: those of the facts, where the address comes from a parameter only those
//          that this role's calls give.
// Cost:    calls times roles, a few rounds.
// Owns:    its tables; refers to its inputs, which must outlive it.
// Threads: as CodeGraph.
// Fails:   never. A function that is called through a pointer, or by the library, is given anything.
// From:    MHB 4.1 (full context); here the context is the role.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/analysis/code_graph.h"

namespace heddle::bench {

class RoleObjects {
 public:
  RoleObjects(const analysis::Facts& facts, const std::vector<std::unique_ptr<analysis::CodeGraph>>& graphs);
  std::vector<analysis::ObjectId> objects(analysis::RoleId role, const analysis::Interaction& access) const;

 private:
  struct Given {  // a parameter is; whole objects
    bool anything = false;
    std::set<analysis::ObjectId> objects;
  };
  using Parameters = std::vector<std::vector<Given>>;  // FunctionId -> first slot of a parameter

  bool is_called_unseen(program::FunctionId function) const;
  // Adds what one call gives. True: something was new.
  bool add_call(program::CodeAddress at, program::FunctionId callee, Parameters& parameters) const;
  std::optional<program::Slot> parameter(program::CodeAddress at, program::Slot slot, unsigned depth = 8) const;
  analysis::ObjectId whole(analysis::ObjectId object) const;

  const analysis::Facts& facts_;
  const std::vector<std::unique_ptr<analysis::CodeGraph>>& graphs_;
  std::set<program::FunctionId> address_taken_;
  std::vector<Parameters> given_;  // RoleId ->
};

}  // namespace heddle::bench
