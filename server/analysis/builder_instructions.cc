// The constraints of single instructions that are no calls.
#include "server/analysis/builder.h"

namespace heddle::analysis {

using program::BindingKind;

void Builder::instruction(Address at, const Instruction& i) {
  switch (i.op) {
    case Opcode::SymbolAddress: {
      const program::Binding binding = program.named(at.function, program::SymbolId(i.a));
      if (binding.kind == BindingKind::Global)
        solver.add(result(at), solver.location(global_cells[binding.id], i.imm));
      else if (binding.kind == BindingKind::Function)
        solver.add(result(at), solver.location(function_cell(FunctionId(binding.id)), 0));
      else if (binding.id < program.externals().size()) {
        const program::External& e = program.externals()[binding.id];
        solver.add(result(at), solver.location(external(e.name, e.kind == program::SymbolKind::Function), 0));
      }
      break;
    }
    case Opcode::Call:
    case Opcode::CallIndirect: call(at, i); break;
    case Opcode::CaughtException: copy(exceptions_, result(at)); break;
    case Opcode::Return:
      for (uint32_t k = 0; k < i.b && k < program.function(at.function).result_slots; ++k)
        copy(value(at, i.a + k), nodes_[at.function.value].returns + k);
      if (at.function == main_) use_states(at, library::kExitHandlers, library::kStatesChanged);
      break;
    case Opcode::Load:
    case Opcode::Store:
    case Opcode::MemoryCopy:
    case Opcode::MemorySet:
    case Opcode::StackAllocate:
    case Opcode::StackAllocateDynamic:
    case Opcode::AtomicLoad:
    case Opcode::AtomicStore:
    case Opcode::AtomicUpdate:
    case Opcode::CompareExchange:
    case Opcode::VariadicStart:
    case Opcode::VariadicCopy: memory(at, i); break;
    default: arithmetic(at, i);
  }
}

// Pointers are plain 64-bit numbers in this code, so arithmetic may carry them. What is narrower cannot, and libraries
// compute sizes, not pointers, from numbers.
void Builder::arithmetic(Address at, const Instruction& i) {
  const bool in_project = program.function(at.function).in_project;
  auto anywhere = [&](Node from) {
    if (from != kNothing) solver.unknown_offset(from, result(at));
  };
  switch (i.op) {
    case Opcode::Move: copy(value(at, i.a), result(at)); break;
    case Opcode::Select:
      copy(value(at, i.b), result(at));
      copy(value(at, static_cast<Slot>(i.imm)), result(at));
      break;
    case Opcode::PointerAdd: copy(address(at, i.a, i.imm), result(at)); break;
    case Opcode::PointerIndex: break;  // see value() and address()
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::AndI:
    case Opcode::OrI:
    case Opcode::XorI: {
      const bool two = i.op == Opcode::And || i.op == Opcode::Or || i.op == Opcode::Xor;
      if (i.width != 64) break;
      // In a library this is a mark in the low bits of a pointer.
      in_project ? anywhere(value(at, i.a)) : copy(value(at, i.a), result(at));
      if (two) in_project ? anywhere(value(at, i.b)) : copy(value(at, i.b), result(at));
      break;
    }
    case Opcode::Sub:
      if (i.flags & program::kPointerDifference) break;
      [[fallthrough]];
    case Opcode::Add:
    case Opcode::MinMax:
      if (i.width == 64 && in_project) anywhere(value(at, i.a)), anywhere(value(at, i.b));
      break;
    case Opcode::AddI:
    case Opcode::SubI:
    case Opcode::Shl:
    case Opcode::ShlI:
    case Opcode::LShr:
    case Opcode::LShrI:
    case Opcode::AShr:
    case Opcode::AShrI:
      if (i.width == 64 && in_project) anywhere(value(at, i.a));
      break;
    case Opcode::WideExtend: copy(value(at, i.a), result(at)); break;
    default: break;
  }
  if (in_project) pieces(at, i);
}

// May it move an object's pointer to its virtual table?
bool Builder::moves_table(const Instruction& i) const {
  const bool plain = i.op == Opcode::Load || i.op == Opcode::Store;
  const uint8_t what = i.flags & program::kMoves;
  return plain && i.width == 64 && has_tables_ && (what == 0 || what == program::kVirtualTable);
}

// Another pointer? In the project a number may be one; a library's lengths are none.
bool Builder::moves_pointer(Address at, const Instruction& i) const {
  if (i.op != Opcode::Load && i.op != Opcode::Store) return true;
  const uint8_t what = i.flags & program::kMoves;
  return what != program::kVirtualTable && (what != program::kNumber || program.function(at.function).in_project);
}

void Builder::memory(Address at, const Instruction& i) {
  switch (i.op) {
    case Opcode::StackAllocate:
    case Opcode::StackAllocateDynamic: allocate_stack(at, i); break;
    case Opcode::Load:
    case Opcode::AtomicLoad: load(at, i); break;
    case Opcode::Store:
    case Opcode::AtomicStore: store(at, i); break;
    case Opcode::AtomicUpdate:
    case Opcode::CompareExchange: update(at, i); break;
    case Opcode::MemoryCopy: {
      const Node to = value(at, i.a), from = value(at, i.b);
      access(at, 0, to);
      access(at, 1, from);
      copy_memory(at, to, from, constant_in(at, static_cast<Slot>(i.imm)).value_or(-1));
      break;
    }
    case Opcode::MemorySet: access(at, 0, value(at, i.a)); break;
    case Opcode::VariadicStart: {
      const Node list = value(at, i.a);
      const Cell area = nodes_[at.function.value].variadic;
      if (list == kNothing || area == kNothing) break;
      for (int64_t offset : {0, 8, 16}) solver.store(list, offset, address_node(area));
      break;
    }
    case Opcode::VariadicCopy: {
      const Node to = value(at, i.a), from = value(at, i.b);
      if (to != kNothing && from != kNothing) solver.copy_memory(to, from, 24);
      break;
    }
    default: break;
  }
}

void Builder::allocate_stack(Address at, const Instruction& i) {
  const Function& function = program.function(at.function);
  const program::StackObject& stack = function.stack_objects[i.b];
  const program::Unit& unit = program.unit(program.unit_of(at.function));
  const bool fixed = i.op == Opcode::StackAllocate;
  const Cell cell = solver.make_object(fixed ? stack.size : 0, fixed ? &unit : nullptr, stack.type, false);
  objects.push_back({.kind = ObjectKind::Stack,
                     .site = at,
                     .name = function.display_name + "::" + (stack.name.empty() ? "temporary" : stack.name)});
  site_cells[at] = cell;
  solver.add(result(at), solver.location(cell, 0));
}

// Whole pointers, and single bytes: a loop that copies bytes copies pointers too. A library's bytes are characters.
bool Builder::carries_pointers(Address at, const Instruction& i) const {
  return i.width >= 64 || (i.width == 8 && program.function(at.function).in_project);
}

void Builder::load(Address at, const Instruction& i) {
  const Node from = address(at, i.a, i.imm);
  access(at, 0, from);
  if (from == kNothing || !carries_pointers(at, i)) return;
  if (moves_pointer(at, i)) solver.load(from, 0, result(at));
  if (moves_table(i)) solver.load_table(from, 0, result(at));
  if (i.width > 64) solver.load(from, 8, result(at, 1));
}

void Builder::store(Address at, const Instruction& i) {
  const Node to = address(at, i.a, i.imm);
  access(at, 0, to);
  if (i.width < 64 && program.function(at.function).in_project) copy(value(at, i.b), pieces_);
  if (to == kNothing || !carries_pointers(at, i)) return;
  if (const Node from = value(at, i.b); from != kNothing) {
    if (moves_pointer(at, i)) solver.store(to, 0, from);
    if (moves_table(i)) solver.store_table(to, 0, from);
  }
  if (i.width > 64)
    if (const Node from = value(at, i.b + 1); from != kNothing) solver.store(to, 8, from);
}

void Builder::update(Address at, const Instruction& i) {
  const Node address = value(at, i.a);
  access(at, 0, address);
  if (address == kNothing || !carries_pointers(at, i)) return;
  const Slot slot = i.op == Opcode::AtomicUpdate ? i.b : static_cast<Slot>(i.imm);
  for (uint32_t k = 0; k < program::slots_of_width(i.width); ++k) {
    solver.load(address, 8 * k, result(at, k));
    if (const Node from = value(at, slot + k); from != kNothing) solver.store(address, 8 * k, from);
  }
}

// The value of a slot whose only definition is a constant.
std::optional<int64_t> Builder::constant_in(Address at, Slot slot) const {
  const auto definitions = graphs[at.function.value]->definitions(at.index, slot);
  if (definitions.size() != 1 || definitions[0] == CodeGraph::kParameter) return std::nullopt;
  const Instruction& definition = program.function(at.function).code[definitions[0]];
  return definition.op == Opcode::Const ? std::optional(definition.imm) : std::nullopt;
}

}  // namespace heddle::analysis
