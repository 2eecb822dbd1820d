// Dependences inside one function: which instruction takes which value from where, and what decides that it runs.
//
// In:      facts and a function of one version.
// Out:     per instruction its operands with their reaching definitions, the private stores its value may come from,
//          and the branches that govern it; and the same turned round, for following a change forwards.
// Cost:    near linear in the function, plus private loads times private stores of the same object.
// Owns:    its tables; refers to facts and summaries, which must outlive it. Threads: one.
// Fails:   never.
#pragma once

#include <vector>

#include "server/analysis/analysis.h"
#include "server/analysis/code_facts.h"

namespace heddle::edit {

using analysis::CodeGraph;
using analysis::Facts;
using analysis::FunctionId;
using analysis::Interaction;
using analysis::ObjectId;
using program::CodeAddress;
using program::Function;
using program::Instruction;
using program::Opcode;
using program::Slot;

// What a function does with everything it calls.
class Summaries {
 public:
  explicit Summaries(const Facts& facts);
  const std::vector<ObjectId>& writes(FunctionId f) const { return writes_[f.value]; }    // sorted, callees included
  const std::vector<ObjectId>& touches(FunctionId f) const { return touches_[f.value]; }  // objects of its interactions
  bool interacts(FunctionId f) const { return interacts_[f.value]; }                      // or checks an assertion
  // The same for a call instruction: over all it may call.
  bool call_interacts(CodeAddress at) const;
  std::vector<ObjectId> call_writes(CodeAddress at) const;
  std::vector<ObjectId> call_touches(CodeAddress at) const;
  bool leaves_project(CodeAddress at) const;  // it may call a function of a library

 private:
  std::span<const FunctionId> callees(CodeAddress at) const;
  const Facts& facts_;
  std::vector<std::vector<ObjectId>> writes_, touches_;
  std::vector<bool> interacts_;
};

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
  const std::vector<Writer>& writers(uint32_t index) const { return writers_[index]; }
  std::span<const CodeGraph::Control> controls(uint32_t index) const { return graph_.controls(graph_.block_of(index)); }
  const Interaction* interaction(uint32_t index) const { return interactions_[index]; }
  bool reachable(uint32_t index) const { return graph_.blocks()[graph_.block_of(index)].reachable; }
  bool merges(uint32_t index) const { return merges_[index]; }  // one of several definitions that reach a use
  bool fails(uint32_t index) const { return fails_[index]; }    // a failed check: abort, assertion, trap
  // May it be an error by itself, or never end? Asked when first needed.
  Hazard hazard(uint32_t index) const;
  bool decides_hazard(uint32_t index, const Operand& operand) const;  // is it the operand that can make it one?
  // Something that others can notice besides its value: interaction, call, store, return, check.
  bool effect(uint32_t index) const { return effect_[index]; }
  // Its value comes from outside the registers: shared memory or a call.
  bool source(uint32_t index) const { return source_[index]; }
  const analysis::MemoryEffects& memory(uint32_t index) const { return memory_[index]; }

  const std::vector<uint32_t>& users(uint32_t index) const { return users_[index]; }
  const std::vector<uint32_t>& parameter_users(Slot slot) const { return parameter_users_[slot]; }
  const std::vector<uint32_t>& controlled(uint32_t branch) const { return controlled_[branch]; }

 private:
  void collect(const Facts& facts, const Summaries& summaries);
  void connect();

  FunctionId id_;
  const Facts* facts_;
  const Function* function_;
  CodeGraph graph_;
  mutable std::vector<Hazard> hazards_;
  std::vector<std::vector<Operand>> operands_;
  std::vector<std::vector<Writer>> writers_;
  std::vector<const Interaction*> interactions_;
  std::vector<analysis::MemoryEffects> memory_;
  std::vector<uint8_t> merges_, fails_, effect_, source_;
  std::vector<std::vector<uint32_t>> users_, parameter_users_, controlled_;
};

// Do two sorted lists share an element?
bool meet(const std::vector<ObjectId>& x, const std::vector<ObjectId>& y);
void unite(std::vector<ObjectId>& into, const std::vector<ObjectId>& from);

}  // namespace heddle::edit
