#include "server/machine/decisive.h"

#include <algorithm>

#include "server/program/operands.h"

namespace heddle::machine {

using program::Binding;
using program::BindingKind;
using program::FunctionId;
using program::Instruction;
using program::Opcode;
using program::Slot;

namespace {

// Has no effect but its result.
bool is_pure(Opcode op) {
  switch (op) {
    case Opcode::UDiv:
    case Opcode::UDivI:
    case Opcode::SDiv:
    case Opcode::SDivI:
    case Opcode::URem:
    case Opcode::URemI:
    case Opcode::SRem:
    case Opcode::SRemI: return false;  // by zero
    default: return op <= Opcode::MinMax || op == Opcode::PointerAdd || op == Opcode::PointerIndex;
  }
}

bool keeps_address(Opcode op) { return op == Opcode::Move || op == Opcode::PointerAdd || op == Opcode::PointerIndex; }

// Numbers of this size hold no address.
bool is_small(const Instruction& i) { return i.width <= 32; }

void set(std::vector<uint64_t>& bits, Slot first, uint32_t count) {
  for (uint32_t n = first; n < first + count; ++n) bits[n / 64] |= uint64_t{1} << (n % 64);
}

}  // namespace

Decisive::Decisive(const Image& image)
    : image_(image),
      functions_(image.function_count()),
      decides_(image.program->global_count()),
      leaves_(image.program->global_count()) {
  all_decide_ = true;
  for (uint32_t f = 0; f < functions_.size(); ++f) find_addresses(f);
  all_decide_ = false;
  note_initial_addresses();
  for (uint32_t g = 0; g < decides_.size(); ++g)
    if (image_.program->global(program::GlobalId(g)).thread_local_storage) decides_[g] = true;
  for (changed_ = true; changed_;) {
    changed_ = false;
    for (uint32_t f = 0; f < functions_.size(); ++f)
      while (follow(f)) changed_ = true;
  }
  for (uint32_t g = 0; g < decides_.size(); ++g)
    if (!decides_[g]) idle_.push_back(g);
}

// Which loads and stores are of one variable: its address is taken in the same block, and is used for nothing else.
// A variable whose address goes anywhere else may be read where that goes.
void Decisive::find_addresses(uint32_t f) {
  const program::Function& code = image_.program->function(FunctionId(f));
  Function& function = functions_[f];
  const auto size = static_cast<uint32_t>(code.code.size());
  function.words = image_.functions[f].frame_slots / 64 + 1;
  function.live.assign((size_t{size} + 1) * function.words, 0);
  function.variable.assign(size, 0);
  while (follow(f)) {}
  std::vector<bool> begins(size + 1);
  for (const Instruction& i : code.code) program::for_each_target(code, i, [&](uint32_t to) { begins[to] = true; });
  std::vector<uint32_t> held(image_.functions[f].frame_slots);  // slot -> as in `variable`
  for (uint32_t at = 0; at < size; ++at) {
    follow_address(f, code.code[at], at, held);
    if (!begins[at + 1] && !program::ends_block(code, code.code[at])) continue;
    const auto leave = [&](uint32_t to) {
      for (uint32_t slot = 0; slot < held.size(); ++slot)
        if (held[slot] != 0 && (before(f, to)[slot / 64] >> (slot % 64) & 1) != 0)
          decides_[held[slot] - 1] = leaves_[held[slot] - 1] = true;
    };
    program::for_each_target(code, code.code[at], leave);
    if (!program::is_terminator(code.code[at].op) && at + 1 < size) leave(at + 1);
    std::fill(held.begin(), held.end(), 0);
  }
  function.live.assign(function.live.size(), 0);
}

void Decisive::follow_address(uint32_t f, Visit i, uint32_t at, std::vector<uint32_t>& held) {
  const program::Function& code = image_.program->function(FunctionId(f));
  const bool plain = i.op == Opcode::Load || i.op == Opcode::Store, access = plain && is_small(i);
  const bool keeps = keeps_address(i.op);
  uint32_t number = keeps || access ? held[i.a] : 0;
  if (access) functions_[f].variable[at] = number;
  program::for_each_use(code, i, [&](Slot first, uint32_t count) {
    for (uint32_t n = first; n < first + count; ++n) {
      if (held[n] == 0) continue;
      const bool elsewhere = n != i.a || (i.op == Opcode::Store && i.a == i.b);
      if ((!access && !keeps) || elsewhere) decides_[held[n] - 1] = true;
      if ((!plain && !keeps) || elsewhere) leaves_[held[n] - 1] = true;
    }
  });
  if (i.op == Opcode::SymbolAddress) {
    const Binding of = image_.program->binding(FunctionId(f), program::SymbolId(i.a));
    number = of.kind == BindingKind::Global ? of.id + 1 : 0;
  } else if (!keeps) {
    number = 0;
  }
  program::for_each_definition(code, i, [&](Slot first, uint32_t count) {
    for (uint32_t n = first; n < first + count; ++n) held[n] = number;
  });
}

void Decisive::note_initial_addresses() {
  const program::Program& program = *image_.program;
  for (uint32_t g = 0; g < program.global_count(); ++g) {
    const program::GlobalId id(g);
    for (const program::Relocation& relocation : program.global(id).relocations) {
      const Binding of = program.binding(program.unit_of(id), relocation.symbol);
      if (of.kind == BindingKind::Global) decides_[of.id] = leaves_[of.id] = true;
      if (of.kind == BindingKind::Function) functions_[of.id].result = true;
    }
  }
  for (uint32_t f = 0; f < functions_.size(); ++f)
    for (const Instruction& i : program.function(FunctionId(f)).code)
      if (i.op == Opcode::SymbolAddress)
        if (const Binding of = program.binding(FunctionId(f), program::SymbolId(i.a)); of.kind == BindingKind::Function)
          functions_[of.id].result = true;  // called through a pointer
  if (image_.main_function != FunctionId::kNone) functions_[image_.main_function].result = true;
}

// One pass against the flow of a function. True: something changed.
bool Decisive::follow(uint32_t f) {
  const program::Function& code = image_.program->function(FunctionId(f));
  Function& function = functions_[f];
  const auto size = static_cast<uint32_t>(code.code.size());
  std::vector<uint64_t> now(function.words), after(function.words);
  bool changed = false;
  for (uint32_t at = size; at-- > 0;) {
    const Instruction& i = code.code[at];
    std::fill(after.begin(), after.end(), 0);
    const auto join = [&](uint32_t from) {
      for (uint32_t w = 0; w < function.words; ++w) after[w] |= function.live[size_t{from} * function.words + w];
    };
    program::for_each_target(code, i, join);
    if (!program::is_terminator(i.op) && at + 1 < size) join(at + 1);
    now = after;
    program::for_each_definition(code, i, [&](Slot first, uint32_t count) {
      for (uint32_t n = first; n < first + count; ++n) now[n / 64] &= ~(uint64_t{1} << (n % 64));
    });
    use(f, i, at, after, now);
    uint64_t* const old = function.live.data() + size_t{at} * function.words;
    if (std::equal(now.begin(), now.end(), old)) continue;
    std::copy(now.begin(), now.end(), old);
    changed = true;
  }
  return changed;
}

bool Decisive::defines_live(uint32_t f, Visit i, const std::vector<uint64_t>& after) const {
  bool live = false;
  program::for_each_definition(image_.program->function(FunctionId(f)), i, [&](Slot first, uint32_t count) {
    for (uint32_t n = first; n < first + count; ++n) live |= (after[n / 64] >> (n % 64) & 1) != 0;
  });
  return live;
}

// To a variable that does not decide.
bool Decisive::stores_idly(uint32_t f, uint32_t at) const {
  const uint32_t variable = functions_[f].variable[at];
  return variable != 0 && !decides_[variable - 1];
}

void Decisive::use(uint32_t f, Visit i, uint32_t at, const std::vector<uint64_t>& after, std::vector<uint64_t>& now) {
  const program::Function& code = image_.program->function(FunctionId(f));
  if (all_decide_) {
    program::for_each_use(code, i, [&](Slot first, uint32_t count) { set(now, first, count); });
    return;
  }
  if (is_pure(i.op) && !defines_live(f, i, after)) return;
  if (i.op == Opcode::Store && stores_idly(f, at)) return set(now, i.a, 1);
  if (i.op == Opcode::Return && !functions_[f].result) return;
  if (const uint32_t variable = functions_[f].variable[at];
      i.op == Opcode::Load && variable != 0 && defines_live(f, i, after)) {
    changed_ |= !decides_[variable - 1];
    decides_[variable - 1] = true;
  }
  if (i.op == Opcode::Call) {
    const CallInfo& call = image_.calls[static_cast<size_t>(image_.code[image_.decoded({FunctionId(f), at})].imm)];
    if (call.callee.kind == Callee::Kind::Function && !call.site->variadic) {
      Function& callee = functions_[call.callee.index];
      changed_ |= !callee.result && defines_live(f, i, after);
      callee.result = callee.result || defines_live(f, i, after);
      return use_call(f, i, at, now);
    }
  }
  program::for_each_use(code, i, [&](Slot first, uint32_t count) { set(now, first, count); });
}

// Of the arguments, those whose parameters decide.
void Decisive::use_call(uint32_t f, Visit, uint32_t at, std::vector<uint64_t>& now) {
  const CallInfo& call = image_.calls[static_cast<size_t>(image_.code[image_.decoded({FunctionId(f), at})].imm)];
  const Function& callee = functions_[call.callee.index];
  const uint32_t parameters = image_.functions[call.callee.index].parameter_slots;
  uint32_t parameter = 0;
  for (const program::Argument& argument : call.site->arguments) {
    for (uint32_t n = 0; n < argument.slots; ++n, ++parameter) {
      const bool known = parameter < parameters && argument.by_value == 0;
      if (!known || (callee.live[parameter / 64] >> (parameter % 64) & 1) != 0) set(now, argument.slot + n, 1);
    }
  }
}

}  // namespace heddle::machine
