// Summarises what each function does, including everything it calls.
//
// In:      facts of one version.
// Out:     per function the objects written and the objects of its interactions.
// Cost:    linear in the code, and one union of bit sets per call.
// Owns:    its tables; refers to the facts, which must outlive it.
// Threads: immutable after construction, readable anywhere.
// Fails:   never.
// From:    Tarjan 1972 (components of the call graph, callees first, so that each summary is made once).
#pragma once

#include <span>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/analysis/code_facts.h"
#include "server/analysis/object_set.h"

namespace heddle::edit {

using analysis::CodeGraph;
using analysis::Facts;
using analysis::FunctionId;
using analysis::Interaction;
using analysis::ObjectId;
using analysis::ObjectSet;
using program::CodeAddress;
using program::Function;
using program::Instruction;
using program::Opcode;

// Code from which a function may still return, not only leave by an exception.
class Returning {
 public:
  explicit Returning(const CodeGraph& graph);
  bool at(const CodeGraph& graph, uint32_t index) const { return blocks_[graph.block_of(index)]; }
  bool catches(const CodeGraph& graph, uint32_t call) const;  // it may return after the call has thrown

 private:
  std::vector<uint8_t> blocks_;
};

bool constant(const Facts& facts, ObjectId object);  // never written

// Functions that call each other have one summary.
class Summaries {
 public:
  explicit Summaries(const Facts& facts);
  // Without constants, and without variables of frames that end with the function.
  const ObjectSet& writes(FunctionId f) const { return all_.of(f).writes; }
  const ObjectSet& returned_writes(FunctionId f) const { return returned_.of(f).writes; }  // when it ends by a return
  const ObjectSet& touches(FunctionId f) const { return all_.of(f).touches; }              // objects of interactions
  bool interacts(FunctionId f) const { return all_.of(f).interacts; }                      // or checks an assertion
  // The same for a call instruction: over all it may call.
  std::span<const FunctionId> callees(CodeAddress at) const;
  bool call_interacts(CodeAddress at) const;
  ObjectSet call_touches(CodeAddress at) const;
  bool recurses(CodeAddress at) const;        // the call may lead back to the function that it stands in
  bool leaves_project(CodeAddress at) const;  // it may call a function of a library
  // Adds what the call may write of `written`: not local variables whose address it does not receive (argument escape).
  void add_written(CodeAddress call, const ObjectSet& written, ObjectSet& to) const;

 private:
  struct Summary {
    ObjectSet writes, touches;
    bool interacts = false;
  };
  struct Joined {
    std::vector<uint32_t> component;  // FunctionId -> summary
    std::vector<Summary> summaries;
    const Summary& of(FunctionId f) const { return summaries[component[f.value]]; }
  };
  struct Own;  // of a function without what it calls
  template <typename Add>
  Joined join(const std::vector<Own>& own, std::vector<uint32_t> Own::* calls, Add add) const;
  void look_at(FunctionId f, Own& own) const;
  void look_at_instruction(CodeAddress at, bool returns, Own& own) const;

  const Facts& facts_;
  ObjectSet argument_only_;
  Joined all_, returned_;
};

}  // namespace heddle::edit
