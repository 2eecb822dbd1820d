#include "server/machine/memory/look_ahead.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "server/machine/memory/partial.h"
#include "server/machine/state.h"
#include "server/machine/symbolic/symbols.h"
#include "server/program/operands.h"

namespace heddle::machine {

using program::Instruction;
using program::Opcode;
using program::Slot;

namespace {

constexpr uint32_t kThenDecides = 1u << 31;  // of Thread::looked_at: the last of these loads is the decisive one

struct Byte {
  uint64_t at;
  uint8_t value, unwritten, unclear;
  uint32_t source;
};

class LookAhead {
 public:
  LookAhead(Machine::State& state, Thread& t) : s_(state), t_(t) {}

  bool decides() {
    const CodeAddress at = s_.image_->address(t_.pc);
    frames_.push_back({at.function.value, at.index, t_.fp, t_.depth, true});
    t_.unwritten &= kUnwrittenCopy;
    Next next = Next::On;
    for (uint32_t n = 0; n < kStepsMost && next == Next::On; ++n) next = step();
    if (loads_.empty()) return false;
    t_.looked_at = static_cast<uint32_t>(loads_.size()) - 1;
    t_.later_begin = 0;
    t_.unwritten = (t_.unwritten & kUnwrittenCopy) | stores_ << kUnwrittenLater;
    if (next != Next::Decides) return false;
    if (source_ == 0) return true;
    t_.looked_at = source_ | kThenDecides;  // the last load that the decision needs is the one to name
    t_.decisive_load = loads_[source_];
    return false;
  }

 private:
  static constexpr uint32_t kStepsMost = 64, kDepthMost = 8, kObjectsMost = 16;
  static constexpr uint64_t kMadeUp = 0xfffffff0;  // objects that the instructions would make

  enum class Next : uint8_t { On, Stop, Decides };

  struct Frame {
    uint32_t function, next, fp, depth;
    bool real;  // it is on the thread's stack
  };
  struct Cell {
    uint32_t frame;
    Slot slot;
    Partial value;
  };

  const program::Function& function() const {
    return s_.image_->program->function(program::FunctionId(frames_.back().function));
  }
  const Instruction& instruction() const { return function().code[frames_.back().next]; }
  uint32_t frame() const { return first_frame_ + static_cast<uint32_t>(frames_.size()); }

  LaterAccess here() const {  // of the instruction that is performed
    const Frame& at = frames_.back();
    return {at.function, at.next - 1, static_cast<uint16_t>(at.depth), 0, 0};
  }

  Partial get(Slot slot) const {
    for (auto cell = cells_.rbegin(); cell != cells_.rend(); ++cell)
      if (cell->frame == frame() && cell->slot == slot) return cell->value;
    const Frame& at = frames_.back();
    return at.real ? Partial::known(t_.stack[at.fp + slot]) : Partial::nothing_known();
  }
  void set(Slot slot, const Partial& value) { cells_.push_back({frame(), slot, value}); }

  Next depends(const Partial& v) {
    if (v.unclear != 0) return Next::Stop;
    source_ = v.source;
    return Next::Decides;
  }

  Next step() {
    if (frames_.back().next >= function().code.size()) return Next::Stop;
    const Instruction& i = instruction();
    ++frames_.back().next;
    switch (i.op) {
      case Opcode::Jump: return go(i.dst);
      case Opcode::Branch: return branch(i);
      case Opcode::Switch: return choose(i);
      case Opcode::Return: return leave(i);
      case Opcode::Call: return call(i);
      case Opcode::Load: return load(i);
      case Opcode::Store: return store(i);
      case Opcode::MemoryCopy: return copy(i);
      case Opcode::MemorySet: return set_bytes(i);
      case Opcode::StackAllocate: return allocate(i);
      case Opcode::LifetimeStart: return begin(i);
      case Opcode::LifetimeEnd: return Next::On;
      case Opcode::SymbolAddress: return symbol(i);
      default: break;
    }
    const bool seen = i.op >= Opcode::AtomicLoad && i.op <= Opcode::Pause;
    if (program::is_terminator(i.op) || i.op == Opcode::CallIndirect || seen || i.op == Opcode::StackRestore)
      return Next::Stop;
    return compute(i);
  }

  Next compute(const Instruction& i) {
    const bool family = i.op >= Opcode::Add && i.op <= Opcode::CmpSGeI;
    const bool immediate = family && (static_cast<uint32_t>(i.op) - static_cast<uint32_t>(Opcode::Add)) % 2 == 1;
    const program::OpcodeInfo& info = program::opcode_info(i.op);
    const auto of = [&](program::OperandRole role, Slot slot) {
      return role == program::OperandRole::kUse ? get(slot) : Partial{};
    };
    const Partial b = immediate ? Partial::known(static_cast<uint64_t>(i.imm)) : of(info.b, i.b);
    const auto result = partial_result(i, of(info.a, i.a), b, of(info.imm, static_cast<Slot>(i.imm)));
    if (result)
      set(i.dst, *result);
    else
      forget_results(i);
    return Next::On;
  }

  void forget_results(const Instruction& i) {
    program::for_each_definition(function(), i, [&](Slot first, uint32_t count) {
      for (uint32_t n = 0; n < count; ++n) set(first + n, Partial::nothing_known());
    });
  }

  Next symbol(const Instruction& i) {
    const Frame& at = frames_.back();
    const Decoded& d = s_.image_->code[s_.image_->decoded({program::FunctionId(at.function), at.next - 1})];
    const bool constant = d.code == Code::Const && d.dst == i.dst;
    set(i.dst, constant ? Partial::known(static_cast<uint64_t>(d.imm)) : Partial::nothing_known());
    return Next::On;
  }

  // ---- control ----

  Next go(uint32_t target) {
    frames_.back().next = target;
    return Next::On;
  }

  Next branch(const Instruction& i) {
    const Partial v = get(i.a);
    const uint64_t open = v.unwritten | v.unclear;
    if ((v.value & ~open) != 0) return go(i.dst);
    return open == 0 ? go(i.b) : depends(v);
  }

  Next choose(const Instruction& i) {
    const Partial v = get(i.a);
    if (!v.is_known()) return depends(v);
    const program::SwitchTable& table = function().switches[i.b];
    for (size_t n = 0; n < table.values.size(); ++n)
      if (table.values[n] == v.value) return go(table.targets[n]);
    return go(table.default_target);
  }

  Next leave(const Instruction& i) {
    std::vector<Partial> values;
    for (uint32_t n = 0; n < i.b; ++n) values.push_back(get(i.a + n));
    Frame from = frames_.back();
    if (from.real && !real_caller(from)) {
      const bool exits = i.b == 1 && from.function == s_.image_->main_function && values[0].unwritten != 0;
      return exits ? depends(values[0]) : Next::Stop;
    }
    if (!from.real) {
      std::erase_if(cells_, [&](const Cell& cell) { return cell.frame == frame(); });
      frames_.pop_back();
    }
    const Instruction& call = function().code[frames_.back().next - 1];
    program::for_each_definition(function(), call, [&](Slot first, uint32_t count) {
      for (uint32_t n = 0; n < count; ++n) set(first + n, n < i.b ? values[n] : Partial::nothing_known());
    });
    return Next::On;
  }

  // Out of the first frame, to the next one on the thread's stack. False: there is none.
  bool real_caller(const Frame& from) {
    const uint64_t link = t_.stack[from.fp - 1];
    const uint32_t pc = static_cast<uint32_t>(link) - 1, fp = static_cast<uint32_t>(link >> 32);
    if (static_cast<uint32_t>(link) == 0 || pc <= kBuiltinReturnCode || fp < kHeader) return false;
    const CodeAddress at = s_.image_->address(pc);
    const auto& code = s_.image_->program->function(at.function).code;
    if (at.index >= code.size() || !program::is_call(code[at.index].op)) return false;
    ++first_frame_;
    frames_.back() = {at.function.value, at.index + 1, fp, from.depth - 1, true};
    return true;
  }

  Next call(const Instruction& i) {
    const program::CallSite& site = function().calls[static_cast<size_t>(i.imm)];
    const program::FunctionId caller(frames_.back().function);
    const program::Binding binding = s_.image_->program->binding(caller, program::SymbolId(i.a));
    if (site.no_return) return Next::Stop;
    if (binding.kind == program::BindingKind::External) return call_library(i, site, binding.id);
    if (binding.kind != program::BindingKind::Function || frames_.size() > kDepthMost || site.variadic)
      return Next::Stop;
    std::vector<Partial> given;
    for (const program::Argument& a : site.arguments)
      for (uint32_t n = 0; n < a.slots; ++n) given.push_back(get(a.slot + n));
    const uint32_t slots = s_.image_->program->function(program::FunctionId(binding.id)).parameter_slots;
    frames_.push_back({binding.id, 0, 0, frames_.back().depth + 1, false});
    for (Slot n = 0; n < slots && n < given.size(); ++n) set(n, given[n]);
    return Next::On;
  }

  // What a library model is given it prints, or decides by: a whole number, not a structure with padding.
  Next call_library(const Instruction& i, const program::CallSite& site, uint32_t external) {
    if (s_.image_->externals[external].kind != Callee::Kind::Builtin) return Next::Stop;
    for (const program::Argument& a : site.arguments) {
      const Partial v = get(a.slot);
      const bool number = v.unwritten != 0 && v.value == 0 && v.unclear == 0 &&
                          (v.unwritten & (v.unwritten + 1)) == 0 && std::popcount(v.unwritten) % 8 == 0;
      if (number && a.by_value == 0 && a.slots == 1) return depends(v);
    }
    bytes_.clear();
    forgot_ = true;
    forget_results(i);
    return Next::On;
  }

  // ---- memory ----

  static bool is_made_up(uint64_t at) { return at >> 32 >= kMadeUp - kObjectsMost && at >> 32 <= kMadeUp; }

  const Byte* stored(uint64_t at) const {
    for (auto byte = bytes_.rbegin(); byte != bytes_.rend(); ++byte)
      if (byte->at == at) return &*byte;
    return nullptr;
  }

  Byte byte_at(uint64_t at, uint32_t source) const {
    if (const Byte* byte = stored(at)) return *byte;
    if (is_made_up(at)) return forgot_ ? Byte{at, 0, 0, 0xff, 0} : Byte{at, 0, 0xff, 0, source};
    if (forgot_) return {at, 0, 0, 0xff, 0};
    const Object& o = *s_.memory_.find(at);
    const auto offset = static_cast<uint32_t>(at);
    if (offset >= o.size) return {at, 0, 0, 0xff, 0};
    if (!s_.memory_.any_initialised(o, offset, 1)) return {at, 0, 0xff, 0, source};
    return {at, o.data[offset], 0, 0, 0};
  }

  // A load of the thread itself may find bytes unwritten only where the machine's memory says so.
  bool found_unwritten(uint64_t at, uint32_t size) const {
    for (uint32_t n = 0; n < size; ++n)
      if (byte_at(at + n, 0).unwritten == 0xff) return true;
    return false;
  }

  Next load(const Instruction& i) {
    const Partial base = get(i.a);
    if (base.unwritten != 0) return depends(base);
    if (i.width > 64 || i.width % 8 != 0 || base.unclear != 0) {
      forget_results(i);
      return loads_.empty() ? Next::Stop : Next::On;
    }
    const uint64_t at = base.value + static_cast<uint64_t>(i.imm);
    const auto source = static_cast<uint32_t>(loads_.size());
    if (found_unwritten(at, i.width / 8)) loads_.push_back(here());
    Partial result;
    for (uint32_t n = 0; n < i.width / 8u; ++n) {
      Byte byte = byte_at(at + n, source);
      if (byte.unwritten == 0xff) byte.source = source;  // so does memory say by then: this load is the one to name
      if (byte.unwritten != 0) result.source = std::max(result.source, byte.source);
      result.value |= uint64_t{byte.value} << (8 * n);
      result.unwritten |= uint64_t{byte.unwritten} << (8 * n);
      result.unclear |= uint64_t{byte.unclear} << (8 * n);
    }
    set(i.dst, result);
    return Next::On;
  }

  Next store(const Instruction& i) {
    const Partial base = get(i.a), value = get(i.b);
    if (base.unwritten != 0) return depends(base);
    if (base.unclear != 0) {
      bytes_.clear();
      forgot_ = true;
      return Next::On;
    }
    if (i.width > 64 || i.width % 8 != 0) return Next::Stop;
    const uint64_t at = base.value + static_cast<uint64_t>(i.imm);
    uint8_t whole = 0;
    for (uint32_t n = 0; n < i.width / 8u; ++n) {
      const auto part = [&](uint64_t bits) { return static_cast<uint8_t>(bits >> (8 * n)); };
      bytes_.push_back({at + n, part(value.value), part(value.unwritten), part(value.unclear), value.source});
      if (part(value.unwritten) == 0xff) whole = static_cast<uint8_t>(whole | 1u << n);
    }
    return note_store(whole) ? Next::On : Next::Stop;
  }

  // In a loop, stores at the same place may come first. False: too many.
  bool note_store(uint8_t whole) {
    const LaterAccess place = here();
    const auto before = std::count(between_.begin(), between_.end(), place);
    between_.push_back(place);
    if (whole == 0) return true;
    if (stores_ == std::size(t_.later)) return false;
    LaterAccess& store = t_.later[stores_++] = place;
    store.before = static_cast<uint8_t>(before);
    store.bytes = whole;
    between_.clear();
    return true;
  }

  // The machine copies what it knows of bytes itself.
  Next copy(const Instruction& i) {
    const Partial to = get(i.a), from = get(i.b), size = get(static_cast<Slot>(i.imm));
    if (!to.is_known() || !from.is_known() || !size.is_known() || size.value > 64) return Next::Stop;
    std::vector<Byte> bytes;
    for (uint64_t n = 0; n < size.value; ++n) bytes.push_back(byte_at(from.value + n, 0));
    for (uint64_t n = 0; n < size.value; ++n) {
      bytes[n].at = to.value + n;
      bytes_.push_back(bytes[n]);
    }
    return Next::On;
  }

  Next set_bytes(const Instruction& i) {
    const Partial to = get(i.a), value = get(i.b), size = get(static_cast<Slot>(i.imm));
    if (!to.is_known() || !size.is_known() || size.value > 64) return Next::Stop;
    for (uint64_t n = 0; n < size.value; ++n)
      bytes_.push_back({to.value + n, static_cast<uint8_t>(value.value), static_cast<uint8_t>(value.unwritten),
                        static_cast<uint8_t>(value.unclear), value.source});
    return Next::On;
  }

  Next allocate(const Instruction& i) {
    if (made_ == kObjectsMost) return Next::Stop;
    set(i.dst, Partial::known((kMadeUp - made_++) << 32));
    return Next::On;
  }

  Next begin(const Instruction& i) {
    const Partial at = get(i.a);
    if (!at.is_known()) return Next::Stop;
    if (is_made_up(at.value)) {
      std::erase_if(bytes_, [&](const Byte& byte) { return byte.at >> 32 == at.value >> 32; });
      return Next::On;
    }
    const uint32_t size = s_.memory_.find(at.value)->full_size;
    if (size > 64) return Next::Stop;
    for (uint32_t n = 0; n < size; ++n) bytes_.push_back({at.value + n, 0, 0xff, 0, 0});
    return Next::On;
  }

  Machine::State& s_;
  Thread& t_;
  std::vector<Frame> frames_;
  uint32_t first_frame_ = 0;  // of the thread's own, those that it left
  std::vector<Cell> cells_;
  std::vector<Byte> bytes_;
  bool forgot_ = false;               // memory may be anything
  std::vector<LaterAccess> loads_;    // those that find unwritten bytes
  std::vector<LaterAccess> between_;  // stores since the last one of `later`
  uint32_t stores_ = 0, made_ = 0, source_ = 0;
};

}  // namespace

uint32_t unwritten_bytes(const Object& o, uint32_t offset, uint32_t size) {
  uint32_t bytes = 0;
  for (uint32_t n = 0; n < size; ++n)
    if ((o.init[(offset + n) / 8] >> ((offset + n) % 8) & 1) == 0) bytes |= 1u << n;
  return bytes;
}

namespace {

// Of the instruction that the thread performs. The decoder makes the computation of an address one with what uses it.
LaterAccess place_of(const Machine::State& state, const Thread& t, Opcode op) {
  CodeAddress at = state.image_->address(t.pc);
  if (state.image_->program->function(at.function).code[at.index].op != op) ++at.index;
  return {at.function.value, at.index, static_cast<uint16_t>(t.depth), 0, 0};
}

}  // namespace

bool unwritten_decides(Machine::State& state, Thread& t, bool follow) {
  if (t.looked_at != 0) {
    if (--t.looked_at != kThenDecides) return false;
    t.looked_at = 0;
    return t.decisive_load == place_of(state, t, Opcode::Load);
  }
  return follow && !Symbols::any(state.symbols_.get()) && LookAhead(state, t).decides();
}

uint32_t left_by_store(const Machine::State& state, Thread& t) {
  const uint32_t copied = t.unwritten & kUnwrittenCopy, count = t.unwritten >> kUnwrittenLater;
  t.unwritten &= ~kUnwrittenCopy;
  if (t.later_begin >= count) return copied;
  LaterAccess& next = t.later[t.later_begin];
  if (!(next == place_of(state, t, Opcode::Store))) return copied;
  if (next.before != 0) {
    --next.before;
    return copied;
  }
  if (++t.later_begin == count) t.unwritten = 0;
  return copied | next.bytes;
}

}  // namespace heddle::machine
