#include <algorithm>

#include "server/library/link_names.h"
#include "server/machine/code/decode_call.h"
#include "server/machine/code/image.h"
#include "server/machine/memory/block_type.h"
#include "server/machine/memory/packed_pointer.h"
#include "server/machine/memory/unwritten.h"
#include "server/machine/sync/sync.h"
#include "server/program/operands.h"

namespace heddle::machine {

using program::Binding;
using program::BindingKind;
using program::FunctionId;
using program::Instruction;
using program::Opcode;

namespace {

uint64_t mask_of(uint32_t width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }

int64_t sign_extend(uint64_t value, uint32_t width) {
  if (width >= 64) return static_cast<int64_t>(value);
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

Code offset_by(Code base, uint32_t steps) { return static_cast<Code>(static_cast<uint32_t>(base) + steps); }

// The row of a width family: 64R 32R NR 64I 32I NI.
Code of_width(Code first, uint32_t width, bool immediate) {
  return offset_by(first, (immediate ? 3 : 0) + (width == 64 ? 0 : width == 32 ? 1 : 2));
}

class FunctionDecoder {
 public:
  FunctionDecoder(Image& image, uint32_t f)
      : image_(image), f_(f), function_(image.program->function(FunctionId(f))), info_(image.functions[f]) {}

  void run() {
    count_uses();
    info_.begin = static_cast<uint32_t>(image_.code.size());
    const uint32_t size = static_cast<uint32_t>(function_.code.size());
    for (at_ = 0; at_ < size;) at_ += emit();
    for (const auto& [code, part] : fixups_) patch(code, part);
    for (uint32_t n = first_switch_; n < image_.switches.size(); ++n) absolute(image_.switches[n]);
  }

 private:
  enum class Part { Dst, B, Imm };

  void count_uses() {
    uses_.assign(function_.frame_slots, 0);
    begins_.assign(function_.frame_slots, false);
    target_.assign(function_.code.size() + 1, false);
    for (const Instruction& i : function_.code) {
      program::for_each_use(function_, i, [&](program::Slot first, uint32_t count) {
        for (uint32_t n = 0; n < count; ++n) ++uses_[first + n];
      });
      program::for_each_target(function_, i, [&](uint32_t target) { target_[target] = true; });
      if (i.op == Opcode::LifetimeStart) begins_[i.a] = true;
    }
    first_switch_ = static_cast<uint32_t>(image_.switches.size());
  }

  Decoded& add(Code code, const Instruction& i) {
    image_.decoded_of[info_.original + at_] = static_cast<uint32_t>(image_.code.size());
    image_.addresses.push_back(CodeAddress{FunctionId(f_), at_}.bits());
    Decoded d;
    d.code = code;
    d.width = i.width;
    d.dst = i.dst;
    d.a = i.a;
    d.b = i.b;
    d.imm = i.imm;
    image_.code.push_back(d);
    return image_.code.back();
  }

  void target(Part part) { fixups_.emplace_back(static_cast<uint32_t>(image_.code.size() - 1), part); }

  // Targets become relative to the operation that jumps.
  void patch(uint32_t at, Part part) {
    Decoded& d = image_.code[at];
    const auto relative = [&](uint64_t original) {
      return static_cast<int64_t>(image_.decoded_of[info_.original + original]) - static_cast<int64_t>(at);
    };
    if (part == Part::Dst)
      d.dst = static_cast<uint32_t>(relative(d.dst));
    else if (part == Part::B)
      d.b = static_cast<uint32_t>(relative(d.b));
    else
      d.imm = relative(static_cast<uint64_t>(d.imm));
  }

  void absolute(SwitchInfo& info) {
    const auto move = [&](int32_t& to) {
      to = static_cast<int32_t>(image_.decoded_of[info_.original + static_cast<uint32_t>(to)]);
    };
    move(info.otherwise);
    for (int32_t& to : info.dense) move(to);
    for (auto& [value, to] : info.sorted) move(to);
    for (int32_t& to : info.targets) move(to);
  }

  bool thread_local_access() const {
    return image_.facts != nullptr && !image_.facts->may_touch_shared({FunctionId(f_), at_});
  }

  // An atomic that one thread alone reaches, and that no loop waits for.
  bool is_local_atomic(const Instruction& i) const {
    const bool waits =
        i.op == Opcode::AtomicUpdate && static_cast<program::UpdateKind>(i.imm) == program::UpdateKind::Exchange;
    return !waits && thread_local_access();
  }

  Code local_atomic(const Instruction& i) const {
    const int size = size_code(i.width);
    if (size < 0 || i.width % 8 != 0 || info_.adds_for_library) return Code::LocalAtomic;
    if (i.op == Opcode::AtomicStore) return offset_by(Code::LocalAtomicStore1, static_cast<uint32_t>(size));
    switch (static_cast<program::UpdateKind>(i.imm)) {
      case program::UpdateKind::Add:
      case program::UpdateKind::Sub:
      case program::UpdateKind::And:
      case program::UpdateKind::Or:
      case program::UpdateKind::Xor: return offset_by(Code::LocalAtomicUpdate1, static_cast<uint32_t>(size));
      default: return Code::LocalAtomic;
    }
  }

  // Emits one operation for the instruction at at_ (and the one after it, if fused); returns how many it took.
  uint32_t emit() {
    const Instruction& i = function_.code[at_];
    if (i.op >= Opcode::Add && i.op <= Opcode::CmpSGeI) return emit_binary(i);
    switch (i.op) {
      case Opcode::Const: add(Code::Const, i); break;
      case Opcode::Undefined: add(Code::Const, i).imm = 0; break;
      case Opcode::Move: add(Code::Move, i); break;
      case Opcode::SymbolAddress: emit_symbol(i); break;
      case Opcode::Select: add(Code::Select, i); break;
      case Opcode::Truncate: add(Code::AndI, i).imm = static_cast<int64_t>(mask_of(i.width)); break;
      case Opcode::SignExtend: emit_sign_extend(i); break;
      case Opcode::FloatBinary: emit_float(i); break;
      case Opcode::PointerAdd: add(Code::Add64I, i); break;
      case Opcode::PointerIndex: return emit_index(i);
      case Opcode::Load: emit_access(i, Code::LoadL1, Code::LoadS1, Code::LoadWide); break;
      case Opcode::Store: emit_access(i, Code::StoreL1, Code::StoreS1, Code::StoreWide); break;
      case Opcode::MemoryCopy:
        add(Code::MemoryCopy, i).flags =
            static_cast<uint8_t>((thread_local_access() ? kLocal : 0) | ((i.flags & program::kMayOverlap) ? 4 : 0));
        break;
      case Opcode::MemorySet: add(Code::MemorySet, i).flags = thread_local_access() ? kLocal : 0; break;
      case Opcode::StackAllocate: add(Code::StackAllocate, i).a = begins_[i.dst]; break;
      case Opcode::StackAllocateDynamic: add(Code::StackAllocateDynamic, i); break;
      case Opcode::StackSave: add(Code::StackSave, i); break;
      case Opcode::StackRestore: add(Code::StackRestore, i); break;
      case Opcode::LifetimeStart: add(Code::LifetimeStart, i); break;
      case Opcode::LifetimeEnd: add(Code::LifetimeEnd, i); break;
      case Opcode::AtomicLoad:
      case Opcode::CompareExchange: add(Code::VisibleAtomic, i); break;
      case Opcode::AtomicStore: image_.relaxed_stores |= program::order_of(i) == MemoryOrder::Relaxed; [[fallthrough]];
      case Opcode::AtomicUpdate: add(is_local_atomic(i) ? local_atomic(i) : Code::VisibleAtomic, i); break;
      case Opcode::Fence: add((i.flags & program::kSignalFence) ? Code::Nop : Code::VisibleAtomic, i); break;
      case Opcode::Pause: add(Code::Pause, i); break;
      case Opcode::Jump:
        add(Code::Jump, i);
        target(Part::Dst);
        break;
      case Opcode::Branch:
        add(Code::Branch, i);
        target(Part::Dst);
        target(Part::B);
        break;
      case Opcode::Switch: add(Code::Switch, i).imm = add_switch(i.b, false); break;
      case Opcode::IndirectJump: add(Code::IndirectJump, i).imm = add_switch(i.b, true); break;
      case Opcode::Return: add(i.b == 0 ? Code::Return0 : i.b == 1 ? Code::Return1 : Code::ReturnN, i); break;
      case Opcode::CaughtException: add(Code::CaughtException, i); break;
      case Opcode::Resume: add(Code::Resume, i); break;
      case Opcode::Unreachable: add(Code::Unreachable, i); break;
      case Opcode::Trap: add(Code::Trap, i); break;
      case Opcode::Unsupported: add(Code::Unsupported, i); break;
      case Opcode::Call: emit_call(i); break;
      case Opcode::CallIndirect: emit_call(i); break;
      case Opcode::VariadicStart: add(Code::VariadicStart, i); break;
      case Opcode::VariadicEnd: add(Code::Nop, i); break;
      case Opcode::VariadicCopy: add(Code::VariadicCopy, i); break;
      default: add(Code::Value, i).imm = at_; break;
    }
    return 1;
  }

  uint32_t emit_binary(const Instruction& i) {
    const uint32_t family = (static_cast<uint32_t>(i.op) - static_cast<uint32_t>(Opcode::Add)) / 2;
    const bool immediate = (static_cast<uint32_t>(i.op) - static_cast<uint32_t>(Opcode::Add)) % 2 == 1;
    enum {
      kAdd,
      kSub,
      kMul,
      kUDiv,
      kSDiv,
      kURem,
      kSRem,
      kShl,
      kLShr,
      kAShr,
      kAnd,
      kOr,
      kXor,
      kEq,
      kNe,
      kULt,
      kULe,
      kUGt,
      kUGe,
      kSLt,
      kSLe,
      kSGt,
      kSGe
    };
    const auto sized = [&](Code first) { add(of_width(first, i.width, immediate), i); };
    const auto plain = [&](Code first) {
      Decoded& d = add(offset_by(first, immediate), i);
      if (immediate) d.imm = static_cast<int64_t>(static_cast<uint64_t>(i.imm) & mask_of(i.width));
    };
    if (family >= kEq && fuse_branch(i, family - kEq, immediate)) return 2;
    if (parts_pointers(i)) {
      add(Code::Value, i).imm = at_;
      return 1;
    }
    switch (family) {
      case kAdd: sized(Code::Add64R); break;
      case kSub: sized(Code::Sub64R); break;
      case kMul: sized(Code::Mul64R); break;
      case kShl: sized(Code::Shl64R); break;
      case kLShr: sized(Code::LShr64R); break;
      case kAShr: sized(Code::AShr64R); break;
      case kAnd: plain(Code::AndR); break;
      case kOr: plain(Code::OrR); break;
      case kXor: plain(Code::XorR); break;
      case kUDiv: plain(Code::UDivR); break;
      case kSDiv: plain(Code::SDivR); break;
      case kURem: plain(Code::URemR); break;
      case kSRem: plain(Code::SRemR); break;
      case kEq: plain(Code::CmpEqR); break;
      case kNe: plain(Code::CmpNeR); break;
      case kULt: plain(Code::CmpULtR); break;
      case kULe: plain(Code::CmpULeR); break;
      case kUGt: plain(Code::CmpUGtR); break;
      case kUGe: plain(Code::CmpUGeR); break;
      default: {
        constexpr Code kFirst[] = {Code::CmpSLt64R, Code::CmpSLe64R, Code::CmpSGt64R, Code::CmpSGe64R};
        Decoded& d = add(of_width(kFirst[family - kSLt], i.width, immediate), i);
        if (immediate) d.imm = sign_extend(static_cast<uint64_t>(i.imm), i.width);
      }
    }
    return 1;
  }

  // A comparison whose only use is the branch after it.
  bool fuse_branch(const Instruction& i, uint32_t kind, bool immediate) {
    if (at_ + 1 >= function_.code.size() || target_[at_ + 1] || uses_[i.dst] != 1) return false;
    const Instruction& branch = function_.code[at_ + 1];
    if (branch.op != Opcode::Branch || branch.a != i.dst) return false;
    const bool signed_kind = kind >= 6;
    if (signed_kind && i.width != 64 && i.width != 32) return false;
    Code first = offset_by(Code::BrEqR, kind * 2);
    if (signed_kind) first = offset_by(i.width == 64 ? Code::BrSLt64R : Code::BrSLt32R, (kind - 6) * 2);
    image_.decoded_of[info_.original + at_ + 1] = static_cast<uint32_t>(image_.code.size());
    Decoded& d = add(offset_by(first, immediate), i);
    d.dst = branch.dst;
    if (immediate) {
      d.b = branch.b;
      d.imm = signed_kind ? sign_extend(static_cast<uint64_t>(i.imm), i.width)
                          : static_cast<int64_t>(static_cast<uint64_t>(i.imm) & mask_of(i.width));
    } else {
      d.imm = branch.b;
    }
    target(Part::Dst);
    target(immediate ? Part::B : Part::Imm);
    return true;
  }

  // An address whose only use is the access after it.
  uint32_t emit_index(const Instruction& i) {
    if (i.width == 64 && at_ + 1 < function_.code.size() && !target_[at_ + 1] && uses_[i.dst] == 1) {
      const Instruction& access = function_.code[at_ + 1];
      const bool load = access.op == Opcode::Load, store = access.op == Opcode::Store;
      const bool fits = i.imm == static_cast<int32_t>(i.imm) && access.imm == static_cast<int32_t>(access.imm);
      if ((load || store) && access.a == i.dst && fits && size_code(access.width) >= 0 &&
          !(store && access.b == i.dst)) {
        image_.decoded_of[info_.original + at_] = static_cast<uint32_t>(image_.code.size());
        ++at_;  // faults and positions belong to the access
        const bool local = thread_local_access();
        const Code first = load ? (local ? Code::LoadXL1 : Code::LoadXS1) : (local ? Code::StoreXL1 : Code::StoreXS1);
        Decoded& d = add(offset_by(first, static_cast<uint32_t>(size_code(access.width))), access);
        --at_;
        d.dst = load ? access.dst : access.b;
        d.a = i.a;
        d.b = i.b;
        d.imm = static_cast<int64_t>(static_cast<uint64_t>(i.imm) << 32 | static_cast<uint32_t>(access.imm));
        if (local) d.flags |= kLocal;
        return 2;
      }
    }
    add(i.width == 64 ? Code::PointerIndex64 : Code::PointerIndexN, i);
    return 1;
  }

  static int size_code(uint32_t width) {
    switch ((width + 7) / 8) {
      case 1: return 0;
      case 2: return 1;
      case 4: return 2;
      case 8: return 3;
      default: return -1;
    }
  }

  void emit_access(const Instruction& i, Code local, Code shared, Code wide) {
    const bool is_local = thread_local_access();
    const int size = size_code(i.width);
    Decoded& d = add(size < 0 ? wide : offset_by(is_local ? local : shared, static_cast<uint32_t>(size)), i);
    if (is_local) d.flags |= kLocal;
  }

  void emit_sign_extend(const Instruction& i) {
    Code code = Code::SignExtendN;
    if (i.imm == 8)
      code = Code::SignExtend8;
    else if (i.imm == 16)
      code = Code::SignExtend16;
    else if (i.imm == 32)
      code = Code::SignExtend32;
    Decoded& d = add(code, i);
    if (code == Code::SignExtendN) d.b = static_cast<uint32_t>(i.imm);
    d.imm = static_cast<int64_t>(mask_of(i.width));
  }

  void emit_float(const Instruction& i) {
    const auto kind = static_cast<program::FloatKind>(i.imm);
    if ((i.width == 64 || i.width == 32) && kind <= program::FloatKind::Div) {
      add(offset_by(i.width == 64 ? Code::FloatAdd64 : Code::FloatAdd32, static_cast<uint32_t>(kind)), i);
      return;
    }
    add(Code::Value, i).imm = at_;
  }

  void emit_symbol(const Instruction& i) {
    const Binding binding = image_.program->binding(FunctionId(f_), program::SymbolId(i.a));
    if (binding.kind == BindingKind::Global &&
        image_.program->global(program::GlobalId(binding.id)).thread_local_storage) {
      add(Code::ThreadLocalAddress, i).a = binding.id;
      return;
    }
    const uint64_t address = image_.symbol_address(binding);
    if (binding.kind == BindingKind::External && address != 0 &&
        image_.program->externals()[binding.id].kind == program::SymbolKind::Variable &&
        image_.external_data[binding.id] == nullptr) {
      add(Code::UndefinedSymbol, i).a = binding.id;
      note_unknown(image_, binding.id, {FunctionId(f_), at_});
      return;
    }
    add(Code::Const, i).imm = static_cast<int64_t>(address + static_cast<uint64_t>(i.imm));
  }

  void emit_call(const Instruction& i) {
    CallDecoder call(image_, {FunctionId(f_), at_}, i);
    const Code code = call.decode();
    Decoded& d = add(code, i);
    d.imm = static_cast<int64_t>(image_.calls.size());
    d.width = static_cast<uint8_t>(std::min<uint32_t>(call.info.site->result_slots, 255));
    if (call.heap) {
      d.a = call.info.site->arguments[0].slot;
      d.b = static_cast<uint32_t>(call.heap->by);
    }
    image_.calls.push_back(call.info);
  }

  int64_t add_switch(uint32_t index, bool indirect) {
    image_.switches.push_back(switch_info(function_.switches[index], indirect));
    return static_cast<int64_t>(image_.switches.size()) - 1;
  }

  Image& image_;
  uint32_t f_;
  const program::Function& function_;
  FunctionInfo& info_;
  uint32_t at_ = 0;
  uint32_t first_switch_ = 0;
  std::vector<uint32_t> uses_;
  std::vector<bool> target_;
  std::vector<bool> begins_;  // slots of variables whose scope begins after their allocation
  std::vector<std::pair<uint32_t, Part>> fixups_;
};

}  // namespace

// std::counting_semaphore knows its maximum only as an argument of the template; std::latch does not look at zero.
void note_counters(FunctionInfo& info, std::string_view name) {
  info.of_atomics = name.find("atomic") != std::string_view::npos;
  info.adds_for_library = library::adds_for_library(name);
  info.counts_latch_down = name == library::kLatchCountDown;
  info.inserts_number = library::inserts_number(name);
  if (const std::optional<uint64_t> most = library::semaphore_maximum(name)) info.semaphore_most = *most;
}

void decode_functions(Image& image) {
  const uint32_t functions = image.function_count();
  image.functions.resize(functions);
  uint32_t original = 0;
  for (uint32_t f = 0; f < functions; ++f) {
    const program::Function& function = image.program->function(FunctionId(f));
    FunctionInfo& info = image.functions[f];
    info.original = original;
    info.parameter_slots = function.parameter_slots;
    info.frame_slots = std::max({function.frame_slots, function.parameter_slots, kDirectSlots});
    info.result_slots = function.result_slots;
    info.variadic = function.variadic;
    info.in_project = function.in_project;
    if (!function.in_project) note_counters(info, image.program->stable_name(FunctionId(f)));
    original += static_cast<uint32_t>(function.code.size());
  }
  image.decoded_of.assign(original, 0);
  // Where threads end and where library models that called back continue; each after a call whose results go to slot 0.
  for (const Code code : {Code::Nop, Code::ThreadEnd, Code::Nop, Code::BuiltinReturn}) {
    Decoded d;
    d.code = code;
    d.width = 2;
    image.code.push_back(d);
    image.addresses.push_back(CodeAddress{}.bits());
  }
  for (uint32_t f = 0; f < functions; ++f) {
    const size_t first = image.code.size();
    FunctionDecoder(image, f).run();
    if (image.functions[f].in_project) continue;
    for (size_t at = first; at < image.code.size(); ++at) image.code[at].flags |= kLibrary;
  }
  for (Decoded& d : image.code) {
    if (d.code != Code::Call) continue;
    CallInfo& call = image.calls[static_cast<size_t>(d.imm)];
    const FunctionInfo& callee = image.functions[call.callee.index];
    d.a = callee.begin;
    call.frame_slots = callee.frame_slots;
  }
  mark_unwritten_uses(image);
  mark_handed_on(image);
}

}  // namespace heddle::machine
