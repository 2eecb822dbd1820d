// Computes the control and data flow of one function: blocks, loops, control dependence, reaching definitions.
//
// In:      a function, and which of its instructions end a path, fail, or throw nothing.
// Out:     tables over code indices and block numbers.
// Cost:    near linear. Reaching definitions take definitions times blocks bits; they are computed per slot at first
//          use.
// Owns:    its tables; refers to the function, which must outlive it.
// Threads: one thread per graph, because const members fill tables at first use.
// Fails:   never; unreachable blocks have no predecessors and depend on nothing.
// From:    Cooper, Harvey, Kennedy 2001 (dominators); Ferrante, Ottenstein, Warren 1987 (control dependence);
//          Bourdoncle 1993 (nested components). Differs: a branch controls nothing if one of its sides can only end in
//          a failed check (assert, abort, trap). What follows a check happens whenever the check holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "server/program/operands.h"
#include "server/program/program.h"

namespace heddle::analysis {

using program::Function;
using program::Instruction;
using program::Opcode;
using program::Slot;

struct Block {
  uint32_t begin = 0, end = 0;  // code indices, end exclusive
  std::vector<uint32_t> successors, predecessors;
  bool reachable = false;
  bool in_loop = false;
  bool fails = false;      // every way out of it is a failed check
  uint32_t component = 0;  // strongly connected component of the flow graph
};

class CodeGraph {
 public:
  // `ends_path(index)`: the instruction never returns (exit, a failed assertion); `fails_path`: it is an error;
  // `quiet`: if it is a call, no exception leaves it.
  template <typename EndsPath, typename FailsPath, typename Quiet>
  CodeGraph(const Function& function, EndsPath ends_path, FailsPath fails_path, Quiet quiet) : function_(&function) {
    std::vector<uint8_t> marks(function.code.size());
    for (uint32_t i = 0; i < function.code.size(); ++i)
      marks[i] = static_cast<uint8_t>((ends_path(i) ? 1 : 0) | (fails_path(i) ? 2 : 0) |
                                      (program::is_call(function.code[i].op) && quiet(i) ? 4 : 0));
    build(marks);
  }

  const Function& function() const { return *function_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  uint32_t block_of(uint32_t index) const { return block_of_[index]; }
  bool in_loop(uint32_t index) const { return blocks_[block_of_[index]].in_loop; }

  // Conditional instructions that directly decide whether the block runs, with the successor that leads to it.
  struct Control {
    uint32_t branch;
    uint32_t successor;
    auto operator<=>(const Control&) const = default;
  };
  std::span<const Control> controls(uint32_t block) const { return controls_[block]; }

  static constexpr bool is_conditional(Opcode op) {
    return op == Opcode::Branch || op == Opcode::Switch || op == Opcode::IndirectJump;
  }
  // True if control may continue in more than one way: conditional instructions, and calls that may throw into a
  // landing pad of the function.
  bool decides(uint32_t index) const {
    const Block& block = blocks_[block_of_[index]];
    return is_conditional(function_->code[index].op) || (block.end == index + 1 && block.successors.size() > 1);
  }
  // Loops, nested ones included: components of the flow graph, then those of each component without its head.
  struct Loop {
    uint32_t head = 0;             // block through which it is entered
    std::vector<uint32_t> blocks;  // sorted
    bool has(uint32_t block) const { return std::binary_search(blocks.begin(), blocks.end(), block); }
  };
  const std::vector<Loop>& loops() const { return loops_; }
  // Does the branch at the end of the block choose between leaving and staying in this loop (or any loop)?
  bool leaves_loop(uint32_t block, const Loop& loop) const;
  bool leaves_loop(uint32_t block) const { return leaves_[block]; }
  // Does one side of the block's branch end in a failed check (an assertion)?
  bool checks(uint32_t block) const;

  // Instructions whose value of `slot` may be the one that `index` reads; kParameter stands for the caller.
  static constexpr uint32_t kParameter = 0xffffffffu;
  std::vector<uint32_t> definitions(uint32_t index, Slot slot) const;

 private:
  void build(const std::vector<uint8_t>& marks);
  void find_components();
  void find_loops();
  void find_failing(const std::vector<uint8_t>& marks);
  void find_controls(const std::vector<uint8_t>& marks);
  void collect_definitions() const;
  const std::vector<std::vector<uint32_t>>& entry_definitions(Slot slot) const;

  const Function* function_;
  std::vector<Block> blocks_;
  std::vector<uint32_t> block_of_;
  std::vector<Loop> loops_;
  std::vector<uint8_t> leaves_;  // block -> leaves_loop
  std::vector<std::vector<Control>> controls_;

  mutable bool collected_ = false;
  mutable std::vector<std::vector<uint32_t>> slot_definitions_;       // Slot -> defining indices, sorted
  mutable std::vector<std::vector<std::vector<uint32_t>>> at_entry_;  // Slot -> block -> reaching definitions, lazily
};

}  // namespace heddle::analysis
