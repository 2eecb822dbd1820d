#include "server/frontend/lower/assembly.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/frontend/lower/assembly_text.h"

namespace heddle::frontend {
namespace {

using llvm::Value;
using BinOp = llvm::AtomicRMWInst::BinOp;

// What an operand of an instruction stands for: a register by its name, memory, or a number.
struct Place {
  std::string name;            // of a register; "" otherwise
  Value* address = nullptr;    // of memory
  llvm::Type* type = nullptr;  // of the memory, of what is in the register at first, or of the output
  std::optional<int64_t> number;
};

// One text, while it is translated. What it emits stands before the call.
class Translation {
 public:
  explicit Translation(llvm::CallInst& call)
      : call_(call), assembly_(*llvm::cast<llvm::InlineAsm>(call.getCalledOperand())), build_(&call) {}

  // False: something in it is not known. What was emitted is to be removed.
  bool translate() {
    if (assembly_.getDialect() != llvm::InlineAsm::AD_ATT || !take_operands()) return false;
    for (const AssemblyStep& step : steps_of(assembly_.getAsmString()))
      if (!perform(step)) return false;
    return give_results();
  }

 private:
  bool take_operands();
  bool take_input(const llvm::InlineAsm::ConstraintInfo& constraint, Value* value);
  bool perform(const AssemblyStep& step);
  bool fence(const AssemblyStep& step);
  bool perform_two(const AssemblyStep& step, const Place& from, const Place& to);
  bool perform_one(const AssemblyStep& step, const Place& to);
  bool exchange(const AssemblyStep& step, const Place& from, const Place& to);
  bool compare_exchange(const AssemblyStep& step, const Place& from, const Place& to);
  bool change_bit(const AssemblyStep& step, const Place& bit, const Place& to);
  bool arithmetic(BinOp op, Value* with, const AssemblyStep& step, const Place& to);
  bool give_results();

  std::optional<Place> place_of(const AssemblyOperand& operand) const;
  unsigned bits_of(const AssemblyStep& step, const Place& to, const Place& from) const;
  Value* read(const Place& place, unsigned bits, bool may_be_pointer = false);
  bool write(const Place& place, Value* value, unsigned bits);
  Value* as_number(Value* value, unsigned bits);
  Value* condition(llvm::StringRef name);
  Value* update(BinOp op, const Place& to, Value* with, bool locked);
  void set_flags(BinOp op, Value* before, Value* with, Value* after);
  llvm::Align alignment(unsigned bits) const { return llvm::Align(bits / 8); }
  llvm::IntegerType* number(unsigned bits) { return build_.getIntNTy(bits); }

  llvm::CallInst& call_;
  const llvm::InlineAsm& assembly_;
  llvm::IRBuilder<> build_;
  std::vector<Place> operands_;
  std::vector<Place> outputs_;               // of the call's result, in their order
  std::map<std::string, Value*> registers_;  // what is in them; absent: not known
  Value *zero_ = nullptr, *carry_ = nullptr, *sign_ = nullptr;
};

bool fits(const llvm::Type& type) {
  return type.isPointerTy() || type.isFloatTy() || type.isDoubleTy() ||
         (type.isIntegerTy() && type.getIntegerBitWidth() <= 64);
}

unsigned width(const llvm::Type& type) { return type.isPointerTy() ? 64 : type.getScalarSizeInBits(); }

bool Translation::take_operands() {
  const auto constraints = assembly_.ParseConstraints();
  llvm::Type* const made = call_.getType();
  unsigned argument = 0, output = 0;
  for (const auto& constraint : constraints) {
    if (constraint.Type == llvm::InlineAsm::isClobber) continue;
    if (constraint.Type == llvm::InlineAsm::isLabel || constraint.Codes.empty()) return false;
    Place place;
    if (constraint.isIndirect) {
      if (argument >= call_.arg_size()) return false;
      place.type = call_.getParamElementType(argument);
      place.address = call_.getArgOperand(argument++);
      if (place.type == nullptr || !fits(*place.type)) return false;
    } else if (constraint.Type == llvm::InlineAsm::isOutput) {
      place.type = made->isStructTy() ? made->getStructElementType(output++) : made;
      if (!fits(*place.type)) return false;
      const std::string& code = constraint.Codes[0];
      place.name = code[0] == '{' ? code.substr(1, code.size() - 2) : "$" + std::to_string(operands_.size());
      outputs_.push_back(place);
    } else {
      if (argument >= call_.arg_size() || !take_input(constraint, call_.getArgOperand(argument++))) return false;
      continue;
    }
    operands_.push_back(place);
  }
  return true;
}

bool Translation::take_input(const llvm::InlineAsm::ConstraintInfo& constraint, Value* value) {
  if (!fits(*value->getType())) return false;
  Place place;
  place.type = value->getType();
  place.name = "$" + std::to_string(operands_.size());
  for (const std::string& code : constraint.Codes) {
    unsigned tied = 0;
    if (code[0] == '{') place.name = code.substr(1, code.size() - 2);
    if (llvm::StringRef(code).getAsInteger(10, tied)) continue;
    if (tied >= operands_.size() || operands_[tied].address != nullptr) return false;
    place.name = operands_[tied].name;
  }
  registers_[place.name] = value;
  operands_.push_back(place);
  return true;
}

std::optional<Place> Translation::place_of(const AssemblyOperand& operand) const {
  Place place;
  if (operand.number) {
    place.number = operand.number;
  } else if (!operand.name.empty()) {
    place.name = operand.name;
  } else if (operand.index >= operands_.size()) {
    return std::nullopt;
  } else {
    place = operands_[operand.index];
  }
  if (operand.dereferenced) {
    const auto found = registers_.find(place.name);
    if (found == registers_.end() || !found->second->getType()->isPointerTy()) return std::nullopt;
    place = {.name = "", .address = found->second, .type = nullptr, .number = std::nullopt};
  }
  return place;
}

unsigned Translation::bits_of(const AssemblyStep& step, const Place& to, const Place& from) const {
  if (step.bits != 0) return step.bits;
  const Place& shown = to.type != nullptr ? to : from;
  return shown.type == nullptr ? 0 : width(*shown.type);
}

Value* Translation::as_number(Value* value, unsigned bits) {
  if (value->getType()->isPointerTy()) value = build_.CreatePtrToInt(value, number(64));
  if (!value->getType()->isIntegerTy()) value = build_.CreateBitCast(value, number(width(*value->getType())));
  return build_.CreateZExtOrTrunc(value, number(bits));
}

// Null: what is there is not known.
Value* Translation::read(const Place& place, unsigned bits, bool may_be_pointer) {
  if (place.number) return build_.getIntN(bits, static_cast<uint64_t>(*place.number));
  if (place.address != nullptr) {  // the processor's plain loads acquire
    llvm::LoadInst* const load = build_.CreateAlignedLoad(number(bits), place.address, alignment(bits));
    load->setAtomic(llvm::AtomicOrdering::Acquire);
    return load;
  }
  const auto found = registers_.find(place.name);
  if (found == registers_.end()) return nullptr;
  if (may_be_pointer && bits == 64 && found->second->getType()->isPointerTy()) return found->second;
  return as_number(found->second, bits);
}

bool Translation::write(const Place& place, Value* value, unsigned bits) {
  if (place.number) return false;
  if (place.address != nullptr) {  // and its plain stores release
    llvm::StoreInst* const store = build_.CreateAlignedStore(value, place.address, alignment(bits));
    store->setAtomic(llvm::AtomicOrdering::Release);
    return true;
  }
  const auto found = registers_.find(place.name);
  if (bits < 32 && found != registers_.end() && width(*found->second->getType()) > bits) {  // the rest stays
    const unsigned all = width(*found->second->getType());
    Value* const mask = build_.getInt(llvm::APInt::getHighBitsSet(all, all - bits));
    value = build_.CreateOr(build_.CreateAnd(as_number(found->second, all), mask), as_number(value, all));
  } else if (bits == 32) {
    value = as_number(value, 64);
  }
  registers_[place.name] = value;
  return true;
}

Value* Translation::condition(llvm::StringRef name) {
  static const std::map<llvm::StringRef, llvm::StringRef> kOtherNames = {{"e", "z"},   {"ne", "nz"}, {"b", "c"},
                                                                         {"nae", "c"}, {"ae", "nc"}, {"nb", "nc"}};
  if (const auto other = kOtherNames.find(name); other != kOtherNames.end()) name = other->second;
  const bool inverted = name.consume_front("n");
  Value* const flag = name == "z" ? zero_ : name == "c" ? carry_ : name == "s" ? sign_ : nullptr;
  return flag != nullptr && inverted ? build_.CreateNot(flag) : flag;
}

void Translation::set_flags(BinOp op, Value* before, Value* with, Value* after) {
  Value* const nothing = llvm::Constant::getNullValue(after->getType());
  zero_ = build_.CreateICmpEQ(after, nothing);
  sign_ = build_.CreateICmpSLT(after, nothing);
  carry_ = op == BinOp::Add   ? build_.CreateICmpULT(after, before)
           : op == BinOp::Sub ? build_.CreateICmpULT(before, with)
                              : build_.getFalse();
}

// What was there before.
Value* Translation::update(BinOp op, const Place& to, Value* with, bool locked) {
  const unsigned bits = width(*with->getType());
  if (to.address != nullptr && locked)
    return build_.CreateAtomicRMW(op, to.address, with, alignment(bits), llvm::AtomicOrdering::SequentiallyConsistent);
  Value* const before = read(to, bits);
  if (before == nullptr || locked) return nullptr;
  Value* const after = op == BinOp::Xchg ? with : llvm::buildAtomicRMWValue(op, build_, before, with);
  return write(to, after, bits) ? before : nullptr;
}

bool Translation::arithmetic(BinOp op, Value* with, const AssemblyStep& step, const Place& to) {
  Value* const before = update(op, to, with, step.locked);
  if (before == nullptr) return false;
  set_flags(op, before, with, llvm::buildAtomicRMWValue(op, build_, before, with));
  return true;
}

bool Translation::exchange(const AssemblyStep& step, const Place& from, const Place& to) {
  if (from.address != nullptr) return to.address == nullptr && exchange(step, to, from);
  const unsigned bits = bits_of(step, to, from);
  Value* const with = bits == 0 ? nullptr : read(from, bits, true);
  if (with == nullptr || from.number) return false;
  if (to.address != nullptr)  // locks by itself
    return write(from, update(BinOp::Xchg, to, with, true), bits);
  Value* const before = read(to, bits, true);
  return before != nullptr && write(to, with, bits) && write(from, before, bits);
}

bool Translation::compare_exchange(const AssemblyStep& step, const Place& from, const Place& to) {
  const unsigned bits = bits_of(step, to, from);
  const Place compared{.name = "ax", .address = nullptr, .type = nullptr, .number = std::nullopt};
  if (bits == 0 || to.address == nullptr || !step.locked) return false;
  Value *with = read(from, bits, true), *expected = read(compared, bits, true);
  if (with == nullptr || expected == nullptr) return false;
  if (with->getType() != expected->getType()) {  // a null pointer is a number, too
    with = as_number(with, bits);
    expected = as_number(expected, bits);
  }
  Value* const both = build_.CreateAtomicCmpXchg(to.address, expected, with, alignment(bits),
                                                 llvm::AtomicOrdering::SequentiallyConsistent,
                                                 llvm::AtomicOrdering::SequentiallyConsistent);
  Value* const before = build_.CreateExtractValue(both, 0);
  Value* const left = as_number(expected, bits);
  Value* const right = as_number(before, bits);
  set_flags(BinOp::Sub, left, right, build_.CreateSub(left, right));
  zero_ = build_.CreateExtractValue(both, 1);
  return write(compared, before, bits);
}

// Of memory, the bits beyond the operand count as well where a register has the number.
bool Translation::change_bit(const AssemblyStep& step, const Place& bit, const Place& to) {
  const unsigned bits = bits_of(step, to, bit);
  Value* const index = bits < 16 ? nullptr : read(bit, bits);
  if (index == nullptr || bit.address != nullptr) return false;
  Place cell = to;
  if (cell.address != nullptr && !llvm::isa<llvm::Constant>(index)) {
    Value* const words = build_.CreateAShr(index, llvm::Log2_32(bits));
    cell.address = build_.CreateGEP(number(bits), cell.address, build_.CreateSExtOrTrunc(words, number(64)));
  }
  Value* const within = build_.CreateAnd(index, bits - 1);
  Value* const mask = build_.CreateShl(build_.getIntN(bits, 1), within);
  const BinOp op = step.name == "bts" ? BinOp::Or : step.name == "btc" ? BinOp::Xor : BinOp::And;
  Value* const before = step.name == "bt"
                            ? read(cell, bits)
                            : update(op, cell, op == BinOp::And ? build_.CreateNot(mask) : mask, step.locked);
  if (before == nullptr) return false;
  carry_ = build_.CreateICmpNE(build_.CreateAnd(before, mask), llvm::Constant::getNullValue(before->getType()));
  return true;
}

bool Translation::perform_two(const AssemblyStep& step, const Place& from, const Place& to) {
  if (step.name == "xchg") return exchange(step, from, to);
  if (step.name == "cmpxchg") return compare_exchange(step, from, to);
  if (step.name.starts_with("bt")) return change_bit(step, from, to);
  const unsigned bits = bits_of(step, to, from);
  Value* const with =
      bits == 0 || (from.address != nullptr && to.address != nullptr) ? nullptr : read(from, bits, step.name == "mov");
  if (with == nullptr) return false;
  if (step.name == "mov") return !step.locked && write(to, with, bits);
  if (step.name == "xadd") {
    Value* const before = from.number ? nullptr : update(BinOp::Add, to, with, step.locked);
    if (before == nullptr) return false;
    set_flags(BinOp::Add, before, with, build_.CreateAdd(before, with));
    return write(from, before, bits);
  }
  static constexpr std::pair<llvm::StringLiteral, BinOp> kOperations[] = {
      {"add", BinOp::Add}, {"sub", BinOp::Sub}, {"and", BinOp::And}, {"or", BinOp::Or}, {"xor", BinOp::Xor}};
  for (const auto& [name, op] : kOperations)
    if (step.name == name) return arithmetic(op, with, step, to);
  return false;
}

bool Translation::perform_one(const AssemblyStep& step, const Place& to) {
  if (llvm::StringRef name(step.name); name.consume_front("set")) {
    Value* const flag = condition(name);
    return flag != nullptr && write(to, build_.CreateZExt(flag, number(8)), 8);
  }
  const unsigned bits = bits_of(step, to, to);
  if (bits == 0) return false;
  if (step.name == "inc" || step.name == "dec") {
    Value* const carry = carry_;  // stays
    const bool done = arithmetic(step.name == "inc" ? BinOp::Add : BinOp::Sub, build_.getIntN(bits, 1), step, to);
    carry_ = carry;
    return done;
  }
  return step.name == "not" && update(BinOp::Xor, to, llvm::Constant::getAllOnesValue(number(bits)), step.locked);
}

bool Translation::fence(const AssemblyStep& step) {
  if (!llvm::StringRef(step.name).ends_with("fence")) return false;
  build_.CreateFence(step.name == "lfence"   ? llvm::AtomicOrdering::Acquire
                     : step.name == "sfence" ? llvm::AtomicOrdering::Release
                                             : llvm::AtomicOrdering::SequentiallyConsistent);
  return true;
}

bool Translation::perform(const AssemblyStep& step) {
  if (step.operands.size() > 2) return false;
  if (step.operands.empty()) return fence(step);
  std::array<Place, 2> places;
  for (size_t n = 0; n < step.operands.size(); ++n) {
    const std::optional<Place> place = place_of(step.operands[n]);
    if (!place) return false;
    places[n] = *place;
  }
  return step.operands.size() == 2 ? perform_two(step, places[0], places[1]) : perform_one(step, places[0]);
}

bool Translation::give_results() {
  Value* made = outputs_.empty() ? nullptr : llvm::UndefValue::get(call_.getType());
  for (unsigned n = 0; n < outputs_.size(); ++n) {
    const Place& output = outputs_[n];
    const unsigned bits = width(*output.type);
    llvm::StringRef name = output.name;
    Value* value = name.consume_front("@cc") ? condition(name) : read(output, bits, true);
    if (value == nullptr) return false;
    if (!(value->getType()->isPointerTy() && output.type->isPointerTy())) {
      value = as_number(value, bits);
      value = output.type->isPointerTy() ? build_.CreateIntToPtr(value, output.type)
                                         : build_.CreateBitCast(value, output.type);
    }
    made = call_.getType()->isStructTy() ? build_.CreateInsertValue(made, value, n) : value;
  }
  if (made != nullptr) call_.replaceAllUsesWith(made);
  return true;
}

void translate(llvm::CallInst& call) {
  llvm::Instruction* const before = call.getPrevNode();
  if (Translation(call).translate()) {
    call.eraseFromParent();
    return;
  }
  while (call.getPrevNode() != before) call.getPrevNode()->eraseFromParent();
}

}  // namespace

// Barriers, pauses and fences alone are left to `lower_call`.
void translate_assembly(llvm::Module& module) {
  const auto has_operands = [](const AssemblyStep& step) { return !step.operands.empty(); };
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || !call->isInlineAsm()) continue;
        const auto steps = steps_of(llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString());
        if (std::any_of(steps.begin(), steps.end(), has_operands)) translate(*call);
      }
}

}  // namespace heddle::frontend
