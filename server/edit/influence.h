// Computes which shared objects decide operations on which others, through registers, private memory, arguments,
// results and conditions of the whole program.
//
// In:      facts and views of one version.
// Out:     per instruction, the objects whose values may reach its operands or decide whether it runs. Dependence
//          components ("groups"): sets of objects that decide each other's operations.
// Cost:    linear in the program's dependences times objects / 64.
// Owns:    its tables; refers to the facts and views, which must outlive it.
// Threads: one; const members compress paths and fill views.
// Fails:   never; it over-approximates (context-insensitive).
// From:    docs/ALGORITHM.md (relevant objects). Differs: components are symmetric. Deciding whether a read happens
//          counts like deciding a write. A failed check decides nothing after it, because it ends the path with a
//          finding.
#pragma once

#include "server/edit/propagate.h"

namespace heddle::edit {

class Influence {
 public:
  Influence(const Facts& facts, Views& views);

  // Objects that decide the operation or whether it happens, sorted; none for code that no thread runs.
  std::vector<ObjectId> deciding(CodeAddress at) const;
  // Objects with one group are in one dependence component: relevant together.
  uint32_t group_of(ObjectId o) const { return find(o.value); }
  bool ends_process() const { return ends_process_; }  // some object's value decides whether the process ends early

 private:
  void number();
  void connect(FunctionId f);
  void connect_instruction(const FunctionView& view, uint32_t index, uint32_t node);
  void connect_boundaries(FunctionId f);
  void solve();
  void group();
  void unite_groups(const ObjectSet& set, const std::vector<ObjectId>& objects);
  ObjectSet effect_set(const FunctionView& view, uint32_t index, bool stored_value) const;
  bool process_exit(const FunctionView& view, uint32_t index) const;
  bool shared_value_decides(const FunctionView& view, uint32_t index) const;
  uint32_t node(FunctionId f, uint32_t index) const { return base_[f.value] + index; }
  void edge(uint32_t from, uint32_t to) { edges_[from].push_back(to); }
  uint32_t add_node() {
    edges_.emplace_back();
    return static_cast<uint32_t>(edges_.size() - 1);
  }
  void own(uint32_t node, const std::vector<ObjectId>& objects);
  uint32_t find(uint32_t o) const {
    while (parent_[o] != o) o = parent_[o] = parent_[parent_[o]];
    return o;
  }
  void join(uint32_t x, uint32_t y) { parent_[find(x)] = find(y); }

  const Facts& facts_;
  Views& views_;
  std::vector<FunctionId> functions_;
  std::vector<uint32_t> base_, parameters_, returns_, entry_, object_node_;
  std::vector<uint32_t> hidden_node_;         // per state that library functions keep
  std::vector<std::vector<uint32_t>> weak_;   // per function and block: what decides whether control reaches it
  std::vector<std::vector<uint32_t>> edges_;  // node -> what it depends on
  std::vector<std::pair<uint32_t, std::vector<ObjectId>>> owned_;
  std::vector<uint32_t> set_of_;  // node -> what may reach it
  std::vector<ObjectSet> sets_;
  mutable std::vector<uint32_t> parent_;
  bool ends_process_ = false;
};

}  // namespace heddle::edit
