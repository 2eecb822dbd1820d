#include <llvm/IR/InlineAsm.h>

#include <algorithm>

#include "server/frontend/lower/lower_function.h"
#include "server/frontend/lower/unknown_variables.h"
#include "server/program/call_result.h"

namespace heddle::frontend {

using program::Argument;
using program::CallSite;

namespace {

// assert() passes the number of its line. Kept, it would make every edit above an assertion look like a change of it;
// the machine knows the place of the call anyway.
int line_argument(llvm::StringRef callee) {
  if (callee == "__assert_fail") return 2;
  if (callee == "__assert" || callee == "__assert_perror_fail") return 2;
  return -1;
}

}  // namespace

void FunctionLowering::lower_call(const llvm::CallBase& call) {
  if (call.isInlineAsm()) return lower_assembly(call);
  const llvm::Value* target = call.getCalledOperand()->stripPointerCasts();
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(target))
    if (const llvm::GlobalObject* object = alias->getAliaseeObject()) target = object;
  const auto* callee = llvm::dyn_cast<llvm::Function>(target);
  if (callee && callee->isIntrinsic()) return lower_intrinsic(call, callee->getIntrinsicID());

  CallSite site;
  site.fixed = call.getFunctionType()->getNumParams();
  site.variadic = call.getFunctionType()->isVarArg();
  site.result_slots = static_cast<uint16_t>(unit_.slot_count(call.getType()));
  site.no_return = call.doesNotReturn();
  const int line = callee ? line_argument(callee->getName()) : -1;
  // The callee's own copies of by-value arguments live for the call only, also in a loop.
  bool copies = false;
  for (unsigned n = 0; n < call.arg_size(); ++n) copies |= n < site.fixed && call.getParamByValType(n);
  const Slot saved = copies ? fresh(1) : 0;
  if (copies) emit(Opcode::StackSave, 0, saved);
  for (unsigned n = 0; n < call.arg_size(); ++n)
    site.arguments.push_back(lower_argument(call, n, n < site.fixed, static_cast<int>(n) == line));
  const auto* direct = callee || llvm::isa<llvm::GlobalIFunc>(target) ? llvm::cast<llvm::GlobalValue>(target) : nullptr;
  const Slot function = direct ? 0 : value(call.getCalledOperand());
  if (const auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    site.landing_pad = landing_pad(*invoke->getLandingPadInst());
    site.unwind = edge_label(invoke->getParent(), invoke->getUnwindDest());
  }
  const auto index = static_cast<int64_t>(out_.calls.size());
  out_.calls.push_back(std::move(site));
  const Slot to = result(call);
  if (direct)
    emit_direct_call(call, *direct, to, index);
  else
    emit(Opcode::CallIndirect, 0, to, function, 0, index);
  if (copies) emit(Opcode::StackRestore, 0, 0, saved);
}

// What the n-th argument of a call is; `fixed`: the callee names it; `is_line`: the number of a line, which is dropped.
Argument FunctionLowering::lower_argument(const llvm::CallBase& call, unsigned n, bool fixed, bool is_line) {
  const llvm::Value* given = call.getArgOperand(n);
  llvm::Type* type = given->getType();
  Argument argument;
  argument.slots = static_cast<uint16_t>(unit_.slot_count(type));
  if (argument.slots == 0) {
    argument.bytes = 0;
    return argument;
  }
  argument.bytes = static_cast<uint16_t>(unit_.layout.getTypeAllocSize(type).getFixedValue());
  argument.alignment = static_cast<uint16_t>(unit_.layout.getABITypeAlign(type).value());
  argument.is_float = type->isFPOrFPVectorTy();
  argument.slot = is_line && llvm::isa<llvm::ConstantInt>(given) ? number(0) : value(given);
  if (!fixed && type->isVectorTy()) {  // a variadic area holds bytes, not lanes
    const std::vector<Slot> words = pack(type, argument.slot);
    argument.slots = static_cast<uint16_t>(words.size());
    argument.slot = fresh(argument.slots);
    for (uint32_t k = 0; k < words.size(); ++k) move(argument.slot + k, words[k]);
  }
  llvm::Type* pointee = call.getParamByValType(n);
  if (!pointee) return argument;
  const uint64_t size = unit_.layout.getTypeAllocSize(pointee).getFixedValue();
  const llvm::MaybeAlign align = call.getParamAlign(n);
  argument.by_value = static_cast<uint32_t>(size);
  argument.alignment = static_cast<uint16_t>(align ? align->value() : 8);
  if (fixed) {
    program::StackObject object;
    object.size = size;
    object.alignment = argument.alignment;
    object.place = place_;
    const auto index = static_cast<uint32_t>(out_.stack_objects.size());
    out_.stack_objects.push_back(std::move(object));
    const Slot copy = fresh(1);
    emit(Opcode::StackAllocate, 0, copy, 0, index, static_cast<int64_t>(size));
    emit(Opcode::MemoryCopy, 0, 0, copy, argument.slot, number(size));
    argument.slot = copy;
  }
  return argument;
}

void FunctionLowering::emit_direct_call(const llvm::CallBase& call, const llvm::GlobalValue& callee, Slot to,
                                        int64_t site) {
  llvm::Type* type = call.getType();
  const bool simple = type->isIntegerTy() || type->isPointerTy() || type->isFloatTy() || type->isDoubleTy();
  const uint64_t bits = simple ? unit_.layout.getTypeSizeInBits(type).getFixedValue() : 0;
  uint8_t flags = type->isPointerTy() ? program::kCallPointer : type->isFloatingPointTy() ? program::kCallFloat : 0;
  if (unit_.facts.ends_sequences && callee.getName().contains("atomic")) flags |= program::kCallEndsSequence;
  if (simple && bits <= 64) note_result(call, callee, static_cast<uint32_t>(site), flags);
  emit(Opcode::Call, bits <= 64 ? static_cast<uint8_t>(bits) : 64, to, unit_.symbol(callee).value, 0, site, flags);
}

// What the result is and how it is shown, if it is unknown data.
void FunctionLowering::note_result(const llvm::CallBase& call, const llvm::GlobalValue& callee, uint32_t site,
                                   uint8_t& flags) {
  const auto found = unit_.facts.results.find(std::string_view(callee.getName()));
  if (found != unit_.facts.results.end() && found->second.is_unsigned) flags |= program::kCallUnsigned;
  const llvm::StringRef variable = call.getFnAttr(kUnknownVariable).getValueAsString();
  const auto* described = llvm::dyn_cast_or_null<llvm::DILocalVariable>(call.getMetadata(kUnknownVariable));
  const llvm::DIType* type = described != nullptr ? described->getType() : nullptr;
  if (!variable.empty())
    results_[site] = {variable.str(), unit_.debug.type(type)};
  else if (found != unit_.facts.results.end() && !found->second.system)
    results_[site] = {"", unit_.debug.type(found->second)};
}

// The clauses of a landing pad, once per pad.
uint32_t FunctionLowering::landing_pad(const llvm::LandingPadInst& pad) {
  const auto [at, inserted] = landing_pads_.try_emplace(&pad, static_cast<uint32_t>(out_.landing_pads.size()));
  if (!inserted) return at->second;
  program::LandingPad made;
  made.cleanup = pad.isCleanup();
  const auto type = [&](const llvm::Constant* given) {
    const auto* global = llvm::dyn_cast<llvm::GlobalValue>(given->stripPointerCasts());
    return global ? unit_.symbol(*global) : program::SymbolId::none();
  };
  for (unsigned n = 0; n < pad.getNumClauses(); ++n) {
    const llvm::Constant* clause = pad.getClause(n);
    program::CatchClause& added = made.clauses.emplace_back();
    added.filter = pad.isFilter(n);
    if (!added.filter) {
      added.types.push_back(type(clause));
      continue;
    }
    const auto* list = llvm::cast<llvm::ArrayType>(clause->getType());
    for (unsigned k = 0; k < list->getNumElements(); ++k) added.types.push_back(type(clause->getAggregateElement(k)));
  }
  // Clang's code for what leaves a noexcept function: everything is caught, and the program ends.
  if (made.clauses.size() == 1 && !made.clauses[0].filter && !made.clauses[0].types[0].valid())
    for (const llvm::Instruction& next : *pad.getParent())
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&next))
        made.terminates |=
            call->getCalledFunction() && call->getCalledFunction()->getName() == "__clang_call_terminate";
  out_.landing_pads.push_back(std::move(made));
  return at->second;
}

namespace {

// One space between words, no comments of the compiler, no final separators.
std::string plain_text(const llvm::InlineAsm& assembly) {
  std::string text;
  for (const char c : assembly.getAsmString()) {
    const bool space = c == ' ' || c == '\t' || c == '\n';
    if (space && (text.empty() || text.back() == ' ' || text.back() == ';')) continue;
    if (c == ';' && !text.empty() && text.back() == ' ') text.pop_back();
    text += space ? ' ' : c;
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == ';')) text.pop_back();
  return text;
}

}  // namespace

// Only assembly whose meaning is known: compiler barriers, pauses, fences.
void FunctionLowering::lower_assembly(const llvm::CallBase& call) {
  const auto& assembly = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const std::string text = plain_text(assembly);
  const auto fence = [&](program::MemoryOrder order) {
    emit(Opcode::Fence, 0, 0, 0, 0, 0, program::atomic_flags(order));
  };
  bool known = true;
  if (text == "pause" || text == "rep;nop" || text == "rep nop" || text == "yield")
    emit(Opcode::Pause, 0, 0);
  else if (text == "mfence" || text.starts_with("lock;addl $$0,") || text.starts_with("lock addl $$0,") ||
           text.starts_with("lock;addl $$0x0,") || text.starts_with("lock addl $$0x0,") ||
           text.starts_with("lock;orl $$0,") || text.starts_with("lock orl $$0,"))
    fence(program::MemoryOrder::SequentiallyConsistent);
  else if (text == "lfence")
    fence(program::MemoryOrder::Acquire);
  else if (text == "sfence")
    fence(program::MemoryOrder::Release);
  else if (text == "ud2" || text == "int3")
    emit(Opcode::Trap, 0, 0);
  else
    known = text.empty() || text == "nop";
  if (!known) return unsupported(call, "inline assembly '" + text + "'");
  lower_outputs(call, assembly);
}

// Nothing happens in the assembly: an output has the value of the input tied to it, or none.
void FunctionLowering::lower_outputs(const llvm::CallBase& call, const llvm::InlineAsm& assembly) {
  const uint32_t count = unit_.slot_count(call.getType());
  if (count == 0) return;
  const Slot to = result(call);
  undefined(to, count);
  const llvm::InlineAsm::ConstraintInfoVector constraints = assembly.ParseConstraints();
  std::vector<uint32_t> outputs;  // constraint number -> slot of the result
  unsigned output = 0;
  uint32_t next = 0;
  for (const auto& constraint : constraints) {
    outputs.push_back(kNoSlot);
    if (constraint.Type != llvm::InlineAsm::isOutput || constraint.isIndirect) continue;
    outputs.back() = next;
    llvm::Type* type = call.getType();
    next += type->isStructTy() ? unit_.slot_count(type->getStructElementType(output++)) : count;
  }
  unsigned argument = 0;
  for (const auto& constraint : constraints) {
    const bool takes = constraint.Type == llvm::InlineAsm::isInput ||
                       (constraint.Type == llvm::InlineAsm::isOutput && constraint.isIndirect);
    if (!takes) continue;
    const unsigned own = argument++;
    if (own >= call.arg_size()) break;
    for (const std::string& code : constraint.Codes) {
      unsigned tied = 0;
      if (llvm::StringRef(code).getAsInteger(10, tied) || tied >= outputs.size() || outputs[tied] == kNoSlot) continue;
      move(to + outputs[tied], value(call.getArgOperand(own)), unit_.slot_count(call.getArgOperand(own)->getType()));
    }
  }
}

}  // namespace heddle::frontend
