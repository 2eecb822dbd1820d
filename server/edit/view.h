// Computes the dependences inside one function: where each instruction's values come from, and what decides whether it
// runs.
//
// In:      facts, summaries and a function of one version.
// Out:     per instruction its operands with their reaching definitions, the private stores its value may come from,
//          and the branches that govern it. Also the reverse, to follow a change forwards.
// Cost:    near linear in the function, plus private loads times private stores of the same object.
// Owns:    its tables; refers to facts and summaries, which must outlive it.
// Threads: one; const members fill tables at first use.
// Fails:   never; unreachable instructions have no operands.
#pragma once

#include <memory>
#include <vector>

#include "server/edit/summaries.h"

namespace heddle::edit {

using program::Slot;

struct Operand {
  Slot slot = 0;
  uint32_t argument = 0xffffffffu;    // for calls: which argument
  std::vector<uint32_t> definitions;  // code indices, or CodeGraph::kParameter
};

struct Writer {
  uint32_t index = 0;
  bool before = false;  // stands before the reader in code order
};

enum class Hazard : uint8_t { None, Fault, Loop };  // hazards.h

class FunctionView {
 public:
  FunctionView(const Facts& facts, const Summaries& summaries, FunctionId function);

  FunctionId id() const { return id_; }
  const Function& code() const { return *function_; }
  const CodeGraph& graph() const { return graph_; }
  const std::vector<Operand>& operands(uint32_t index) const { return operands_[index]; }
  const std::vector<Writer>& writers(uint32_t index) const { return flow().writers[index]; }
  std::span<const CodeGraph::Control> controls(uint32_t index) const { return graph_.controls(graph_.block_of(index)); }
  const Interaction* interaction(uint32_t index) const { return interactions_[index]; }
  bool reachable(uint32_t index) const { return graph_.blocks()[graph_.block_of(index)].reachable; }
  bool merges(uint32_t index) const { return merges_[index]; }  // one of several definitions that reach a use
  bool fails(uint32_t index) const { return fails_[index]; }    // a failed check: abort, assertion, trap
  bool gives_exit_code(uint32_t index) const { return exit_code_[index]; }  // main's return, or a call of exit
  bool raises(uint32_t index) const { return raises_[index]; }              // a throw, longjmp or pthread_exit
  bool calls_library(uint32_t index) const;  // a function whose effects are known without its text
  bool calls_unknown(uint32_t index) const;  // a function that has neither text nor model
  bool recurses(uint32_t index) const { return summaries_->recurses({id_, index}); }
  // May it fail by itself, or never end? Computed at first use.
  Hazard hazard(uint32_t index) const;
  bool decides_hazard(uint32_t index, const Operand& operand) const;  // can this operand make it fail or never end?
  // True if it has an effect apart from its value: interaction, call, store, return, check.
  bool effect(uint32_t index) const { return effect_[index]; }
  // Its value comes from outside the registers: shared memory or a call.
  bool source(uint32_t index) const { return source_[index]; }
  // Of the instruction itself, without the functions that a call runs.
  const analysis::MemoryEffects& memory(uint32_t index) const { return memory_[index]; }
  // What may have been written when the function continues after the instruction, by called functions too.
  ObjectSet writes(uint32_t index) const;

  const std::vector<uint32_t>& users(uint32_t index) const { return flow().users[index]; }
  const std::vector<uint32_t>& parameter_users(Slot slot) const { return flow().parameter_users[slot]; }
  const std::vector<uint32_t>& controlled(uint32_t branch) const { return flow().controlled[branch]; }

 private:
  // Dependences through memory, and forwards; made at first use.
  struct Flow {
    std::vector<std::vector<Writer>> writers;
    std::vector<std::vector<uint32_t>> users, parameter_users, controlled;
  };
  void collect();
  std::span<const FunctionId> called(uint32_t index) const;  // functions that it calls itself, not through the library
  const Flow& flow() const;
  void find_writers(Flow& flow) const;

  const Facts* facts_;
  const Summaries* summaries_;
  FunctionId id_;
  const Function* function_;
  CodeGraph graph_;
  Returning returning_;
  mutable std::vector<Hazard> hazards_;
  std::vector<std::vector<Operand>> operands_;
  std::vector<const Interaction*> interactions_;
  std::vector<analysis::MemoryEffects> memory_;
  std::vector<uint8_t> merges_, fails_, exit_code_, raises_, effect_, source_;
  mutable std::unique_ptr<Flow> flow_;
};

// A function of the library that ends the whole process with the code that it is given.
bool ends_process(const library::Function& row);

// Unites two sorted lists.
void unite(std::vector<ObjectId>& into, const std::vector<ObjectId>& from);

}  // namespace heddle::edit
