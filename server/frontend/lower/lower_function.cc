#include "server/frontend/lower/lower_function.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugProgramInstruction.h>

#include <algorithm>

namespace heddle::frontend {

using program::PlaceId;

void lower_function(UnitLowering& unit, const llvm::Function& function, program::Function& out) {
  FunctionLowering(unit, function, out).run();
}

FunctionLowering::FunctionLowering(UnitLowering& unit, const llvm::Function& source, program::Function& out)
    : unit_(unit), source_(source), out_(out) {}

void FunctionLowering::run() {
  out_.variadic = source_.isVarArg();
  out_.result_slots = unit_.slot_count(source_.getReturnType());
  lower_parameters();
  const auto pinned = static_cast<uint32_t>(groups_.size());

  const std::vector<const llvm::BasicBlock*> blocks = block_order();
  for (const llvm::BasicBlock* block : blocks) label_of(block);
  prepare_phis();
  prepare_stack_objects();
  for (size_t n = 0; n < blocks.size(); ++n) lower_block(*blocks[n], n + 1 < blocks.size() ? blocks[n + 1] : nullptr);
  lower_edges();
  resolve_labels();
  const std::vector<Slot> written = written_slots();
  finish_locals(written, assign_slots(out_, groups_, pinned));
}

// Reverse post-order: definitions come before uses, only phis look back. The last successor is followed first, so that
// a branch's first one (a loop's body, the part after `if`) comes next to it, as in the source.
std::vector<const llvm::BasicBlock*> FunctionLowering::block_order() const {
  struct Visit {
    const llvm::BasicBlock* block;
    unsigned left;
  };
  std::vector<const llvm::BasicBlock*> order;
  llvm::DenseSet<const llvm::BasicBlock*> seen;
  std::vector<Visit> stack;
  const auto enter = [&](const llvm::BasicBlock* block) {
    if (seen.insert(block).second) stack.push_back({block, block->getTerminator()->getNumSuccessors()});
  };
  enter(&source_.getEntryBlock());
  while (!stack.empty()) {
    Visit& top = stack.back();
    if (top.left == 0) {
      order.push_back(top.block);
      stack.pop_back();
      continue;
    }
    --top.left;
    enter(top.block->getTerminator()->getSuccessor(top.left));
  }
  std::reverse(order.begin(), order.end());
  return order;
}

void FunctionLowering::lower_parameters() {
  for (const llvm::Argument& argument : source_.args()) {
    const uint32_t count = unit_.slot_count(argument.getType());
    slots_[&argument] = next_slot_;
    if (count == 0) continue;
    fresh(count);
  }
  out_.parameter_slots = next_slot_;
}

void FunctionLowering::prepare_phis() {
  for (const llvm::BasicBlock& block : source_)
    for (const llvm::PHINode& phi : block.phis()) result(phi);
}

void FunctionLowering::prepare_stack_objects() {
  for (const llvm::BasicBlock& block : source_)
    for (const llvm::Instruction& instruction : block)
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
        if (record.isDbgDeclare())
          if (const auto* object = llvm::dyn_cast_or_null<llvm::AllocaInst>(record.getAddress()))
            declared_.try_emplace(object, record.getVariable());
}

void FunctionLowering::lower_block(const llvm::BasicBlock& block, const llvm::BasicBlock* next) {
  bind(label_of(&block));
  block_ = &block;
  place_ = PlaceId(0);
  const size_t first_debug_value = debug_values_.size();
  for (const llvm::Instruction& instruction : block) {
    note_debug_values(instruction);
    if (llvm::isa<llvm::PHINode>(instruction)) continue;
    // Code without a line of its own belongs to the statement it follows.
    if (const PlaceId own = unit_.debug.place(instruction.getDebugLoc()); own.value != 0) place_ = own;
    if (instruction.isTerminator()) {
      lower_terminator(instruction, next);
    } else {
      lower(instruction);
    }
  }
  for (size_t n = first_debug_value; n < debug_values_.size(); ++n)
    debug_values_[n].block_end = static_cast<uint32_t>(out_.code.size());
}

void FunctionLowering::lower_terminator(const llvm::Instruction& end, const llvm::BasicBlock* next) {
  const llvm::BasicBlock* from = end.getParent();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&end)) {
    if (branch->isUnconditional()) {
      copy_phis(from, branch->getSuccessor(0));
      if (branch->getSuccessor(0) != next) jump(label_of(branch->getSuccessor(0)));
      return;
    }
    const Slot condition = value(branch->getCondition());
    const uint32_t yes = edge_label(from, branch->getSuccessor(0)), no = edge_label(from, branch->getSuccessor(1));
    emit(Opcode::Branch, 0, yes, condition, no);
    return;
  }
  if (const auto* table = llvm::dyn_cast<llvm::SwitchInst>(&end)) return lower_switch(*table);
  if (const auto* computed = llvm::dyn_cast<llvm::IndirectBrInst>(&end)) {
    program::SwitchTable table;
    table.width = 64;
    const Slot target = value(computed->getAddress());
    if (!null_target_) {
      null_target_ = static_cast<uint32_t>(labels_.size());
      labels_.push_back(0);
    }
    table.default_target = *null_target_;
    table.targets.push_back(*null_target_);
    for (const llvm::BasicBlock* block : unit_.addressed_blocks(source_)) {
      bool listed = false;
      for (unsigned n = 0; n < computed->getNumDestinations(); ++n) listed |= computed->getDestination(n) == block;
      table.targets.push_back(listed ? edge_label(from, block) : *null_target_);
    }
    out_.switches.push_back(std::move(table));
    emit(Opcode::IndirectJump, 0, 0, target, static_cast<uint32_t>(out_.switches.size() - 1));
    return;
  }
  if (const auto* give_back = llvm::dyn_cast<llvm::ReturnInst>(&end)) {
    const llvm::Value* given = give_back->getReturnValue();
    const uint32_t count = given ? unit_.slot_count(given->getType()) : 0;
    emit(Opcode::Return, 0, 0, count ? value(given) : 0, count);
    return;
  }
  if (const auto* call = llvm::dyn_cast<llvm::InvokeInst>(&end)) {
    lower_call(*call);
    copy_phis(from, call->getNormalDest());
    if (call->getNormalDest() != next) jump(label_of(call->getNormalDest()));
    return;
  }
  if (const auto* resume = llvm::dyn_cast<llvm::ResumeInst>(&end)) {
    emit(Opcode::Resume, 0, 0, value(resume->getValue()));
    return;
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBrInst>(&end)) {
    unsupported(*call, "asm goto");
    emit(Opcode::Unreachable, 0, 0);
    return;
  }
  if (!llvm::isa<llvm::UnreachableInst>(end))
    unsupported(end, std::string("instruction '") + end.getOpcodeName() + "'");
  emit(Opcode::Unreachable, 0, 0);
}

void FunctionLowering::lower_switch(const llvm::SwitchInst& end) {
  const uint32_t bits = end.getCondition()->getType()->getIntegerBitWidth();
  if (bits > 64) {
    unsupported(end, "switch over more than 64 bits");
    emit(Opcode::Unreachable, 0, 0);
    return;
  }
  program::SwitchTable table;
  table.width = static_cast<uint8_t>(bits);
  const Slot condition = value(end.getCondition());
  for (const auto& one : end.cases()) {
    table.values.push_back(one.getCaseValue()->getZExtValue());
    table.targets.push_back(edge_label(end.getParent(), one.getCaseSuccessor()));
  }
  table.default_target = edge_label(end.getParent(), end.getDefaultDest());
  out_.switches.push_back(std::move(table));
  emit(Opcode::Switch, 0, 0, condition, static_cast<uint32_t>(out_.switches.size() - 1));
}

uint32_t FunctionLowering::label_of(const llvm::BasicBlock* block) {
  const auto [at, inserted] = block_labels_.try_emplace(block, static_cast<uint32_t>(labels_.size()));
  if (inserted) labels_.push_back(0);
  return at->second;
}

// Where a branch from one block to another goes: straight there, or through a block of moves of its own.
uint32_t FunctionLowering::edge_label(const llvm::BasicBlock* from, const llvm::BasicBlock* to) {
  if (to->phis().empty()) return label_of(to);
  const auto [at, inserted] = edge_labels_.try_emplace({from, to}, static_cast<uint32_t>(labels_.size()));
  if (inserted) {
    labels_.push_back(0);
    edges_.push_back({from, to, at->second, place_});
  }
  return at->second;
}

void FunctionLowering::lower_edges() {
  for (size_t n = 0; n < edges_.size(); ++n) {
    const Edge edge = edges_[n];
    bind(edge.label);
    place_ = edge.place;
    copy_phis(edge.from, edge.to);
    jump(label_of(edge.to));
  }
  if (null_target_) {
    bind(*null_target_);
    emit(Opcode::Unreachable, 0, 0);
  }
}

// All phis of a block take their values at once: a move must not overwrite what a later one reads.
void FunctionLowering::copy_phis(const llvm::BasicBlock* from, const llvm::BasicBlock* to) {
  struct Copy {
    Slot to, from;
  };
  std::vector<Copy> copies;
  std::vector<std::pair<const llvm::Constant*, Slot>> constants;
  for (const llvm::PHINode& phi : to->phis()) {
    const llvm::Value* incoming = phi.getIncomingValueForBlock(from);
    const Slot target = slots_.lookup(&phi);
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(incoming)) {
      constants.emplace_back(constant, target);
      continue;
    }
    const Slot origin = value(incoming);
    for (uint32_t k = 0; k < unit_.slot_count(phi.getType()); ++k)
      if (origin + k != target + k) copies.push_back({target + k, origin + k});
  }
  while (!copies.empty()) {
    bool progress = false;
    for (size_t n = 0; n < copies.size();) {
      const Slot target = copies[n].to;
      const bool still_read =
          std::any_of(copies.begin(), copies.end(), [&](const Copy& c) { return c.from == target; });
      if (still_read) {
        ++n;
        continue;
      }
      move(target, copies[n].from);
      copies.erase(copies.begin() + static_cast<ptrdiff_t>(n));
      progress = true;
    }
    if (progress) continue;
    // Only cycles are left: save one target, let its readers read the copy.
    const Slot saved = fresh(1), target = copies.front().to;
    move(saved, target);
    for (Copy& copy : copies)
      if (copy.from == target) copy.from = saved;
  }
  for (const auto& [constant, target] : constants) materialise(constant, target);
}

void FunctionLowering::jump(uint32_t label) { emit(Opcode::Jump, 0, label); }

void FunctionLowering::resolve_labels() {
  for (program::Instruction& instruction : out_.code) {
    if (instruction.op == Opcode::Jump || instruction.op == Opcode::Branch) instruction.dst = labels_[instruction.dst];
    if (instruction.op == Opcode::Branch) instruction.b = labels_[instruction.b];
  }
  for (program::CallSite& call : out_.calls)
    if (call.unwind != program::kNoUnwind) call.unwind = labels_[call.unwind];
  for (program::SwitchTable& table : out_.switches) {
    table.default_target = labels_[table.default_target];
    for (uint32_t& target : table.targets) target = labels_[target];
  }
}

void FunctionLowering::note_debug_values(const llvm::Instruction& instruction) {
  for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
    if (!record.isDbgValue() || record.getDebugLoc()->getInlinedAt()) continue;
    DebugValue noted{record.getVariable(), static_cast<uint32_t>(out_.code.size()), std::nullopt};
    const bool plain = record.getExpression()->getNumElements() == 0 && record.getNumVariableLocationOps() == 1;
    if (const llvm::Value* held = plain ? record.getVariableLocationOp(0) : nullptr) {
      const auto found = slots_.find(held);
      if (found != slots_.end() && !llvm::isa<llvm::Constant>(held) && !displacements_.contains(held))
        noted.slot = found->second;
    }
    debug_values_.push_back(noted);
  }
}

}  // namespace heddle::frontend
