#include "server/program/block_type.h"

#include <algorithm>
#include <cctype>

#include "server/program/call_result.h"
#include "server/program/operands.h"
#include "server/program/print.h"

namespace heddle::program {
namespace {

constexpr uint32_t kFollowedMost = 200;

const Type* type_in(const Unit& unit, TypeId id) {
  return id.valid() && id.value < unit.types.size() ? &unit.types[id.value] : nullptr;
}

bool is_record(const Type* type) {
  return type != nullptr && (type->kind == TypeKind::Record || type->kind == TypeKind::Union);
}

// What a pointer of this type points to, if it is a record.
BlockType pointee(const Unit& unit, TypeId pointer) {
  const Type* type = type_in(unit, pointer);
  if (type == nullptr || type->kind != TypeKind::Pointer || !is_record(type_in(unit, type->element))) return {};
  return {&unit, type->element};
}

// The type of the field at the offset; of a pointer only.
TypeId pointer_at(const Unit& unit, TypeId whole, uint64_t offset) {
  while (const Type* type = type_in(unit, whole)) {
    if (type->kind == TypeKind::Pointer) return offset == 0 ? whole : TypeId{};
    const TypeId outer = whole;
    if (type->kind == TypeKind::Array) {
      const Type* element = type_in(unit, type->element);
      if (element == nullptr || element->size == 0) return {};
      offset %= element->size;
      whole = type->element;
    } else {
      for (const Type::Field& field : type->fields) {
        const Type* inside = type_in(unit, field.type);
        if (inside == nullptr || offset < field.offset || offset >= field.offset + inside->size) continue;
        offset -= field.offset;
        whole = field.type;
        break;
      }
    }
    if (whole == outer) return {};
  }
  return {};
}

// Follows the result of one call through its function, in the order of the code.
class Result {
 public:
  Result(const Program& program, CodeAddress call)
      : program_(program),
        id_(call.function),
        function_(program.function(call.function)),
        unit_(program.unit(program.unit_of(call.function))),
        first_(call.index) {}

  bool is_returned() const {
    bool returned = false;
    walk([&](uint32_t, const Instruction& i, const std::vector<Slot>& held) {
      returned = i.op == Opcode::Return && i.b == 1 && holds(held, i.a);
      return !returned;
    });
    return returned;
  }

  BlockType type() const {
    BlockType found;
    walk([&](uint32_t n, const Instruction& i, const std::vector<Slot>& held) {
      found = of_local(n, held);
      if (!found && i.op == Opcode::Store && holds(held, i.b)) found = of_store(n, i);
      if (!found && i.op == Opcode::Call) found = of_parameter(i, held);
      return !found;
    });
    return found;
  }

 private:
  static bool holds(const std::vector<Slot>& held, Slot slot) {
    return std::find(held.begin(), held.end(), slot) != held.end();
  }

  template <typename Visit>  // (index, instruction, slots that hold the result): false to stop
  void walk(const Visit& visit) const {
    std::vector<Slot> held = {function_.code[first_].dst};
    const size_t end = std::min<size_t>(function_.code.size(), size_t{first_} + 1 + kFollowedMost);
    for (uint32_t n = first_ + 1; n < end && !held.empty(); ++n) {
      const Instruction& i = function_.code[n];
      if (!visit(n, i, held)) return;
      const bool moves = i.op == Opcode::Move && holds(held, i.a);
      for_each_definition(function_, i, [&](Slot slot, uint32_t count) {
        std::erase_if(held, [&](Slot h) { return h >= slot && h < slot + count; });
      });
      if (moves) held.push_back(i.dst);
    }
  }

  BlockType of_local(uint32_t n, const std::vector<Slot>& held) const {
    for (const LocalVariable& local : function_.locals)
      if (local.begin <= n && n < local.end && holds(held, local.slot))
        if (const BlockType found = pointee(unit_, local.type)) return found;
    return {};
  }

  BlockType of_parameter(const Instruction& call, const std::vector<Slot>& held) const {
    const Binding callee = program_.binding(id_, SymbolId(call.a));
    if (callee.kind != BindingKind::Function) return {};
    const Function& called = program_.function(FunctionId(callee.id));
    Slot parameter = 0;
    for (const Argument& argument : function_.calls[static_cast<size_t>(call.imm)].arguments) {
      if (argument.slots == 1 && holds(held, argument.slot))
        for (const LocalVariable& local : called.locals)
          if (local.slot == parameter && local.begin == 0 && local.end != 0)
            return pointee(program_.unit(program_.unit_of(FunctionId(callee.id))), local.type);
      parameter += argument.slots;
    }
    return {};
  }

  // Where the address of a store comes from: the last definition of its slot before.
  BlockType of_store(uint32_t n, const Instruction& store) const {
    const auto offset = static_cast<uint64_t>(store.imm);
    for (const LocalVariable& local : function_.locals) {
      if (local.slot != store.a || n < local.begin || n >= local.end) continue;
      if (const Type* type = type_in(unit_, local.type); type != nullptr && type->kind == TypeKind::Pointer)
        return pointee(unit_, pointer_at(unit_, type->element, offset));
    }
    for (uint32_t at = n; at-- > 0;) {
      const Instruction& i = function_.code[at];
      bool defines = false;
      for_each_definition(function_, i,
                          [&](Slot slot, uint32_t count) { defines |= store.a >= slot && store.a < slot + count; });
      if (!defines) continue;
      if (i.op == Opcode::StackAllocate && i.b < function_.stack_objects.size())
        return pointee(unit_, pointer_at(unit_, function_.stack_objects[i.b].type, offset));
      if (i.op != Opcode::SymbolAddress) return {};
      const Binding symbol = program_.binding(id_, SymbolId(i.a));
      if (symbol.kind != BindingKind::Global) return {};
      const GlobalId global(symbol.id);
      const Unit& unit = program_.unit(program_.unit_of(global));
      return pointee(unit, pointer_at(unit, program_.global(global).type, offset + static_cast<uint64_t>(i.imm)));
    }
    return {};
  }

  const Program& program_;
  const FunctionId id_;
  const Function& function_;
  const Unit& unit_;
  const uint32_t first_;
};

bool returns_pointer(const Instruction& i) {
  return (i.op == Opcode::Call || i.op == Opcode::CallIndirect) && (i.flags & kCallPointer) != 0;
}

}  // namespace

BlockType block_type(const Program& program, CodeAddress call) {
  if (!call.function.valid() || !returns_pointer(program.instruction(call))) return {};
  return Result(program, call).type();
}

bool is_handed_on(const Program& program, CodeAddress call) {
  const Function& function = program.function(call.function);
  if (!function.in_project || function.result_slots != 1 || !returns_pointer(program.instruction(call))) return false;
  const Result result(program, call);
  return result.is_returned() && !result.type();
}

std::string block_type_name(const BlockType& block) {
  const Type* type = block ? type_in(*block.unit, block.type) : nullptr;
  if (type == nullptr) return "";
  std::string name = type->name.substr(0, type->name.find('<'));
  for (const std::string_view word : {"struct ", "class ", "union "})
    if (name.starts_with(word)) name.erase(0, word.size());
  bool begins = true;  // a part of the name
  for (const char c : name) {
    if (begins && c == '_') return "";
    if (c != ':' && c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0) return "";
    begins = c == ':';
  }
  return name;
}

std::string block_path(const BlockType& block, uint64_t full_size, uint64_t offset, uint64_t size) {
  const Type* type = block ? type_in(*block.unit, block.type) : nullptr;
  if (type == nullptr || type->size == 0) return "";
  const bool array = full_size > type->size && full_size % type->size == 0;
  if (!array && offset >= type->size) return "";
  std::string path = access_path(*block.unit, block.type, offset % type->size, size);
  path.resize(std::min(path.size(), path.find(".__")));  // the implementation's own
  if (path.ends_with(".vptr")) path.resize(path.size() - std::string_view(".vptr").size());
  return array ? "[" + std::to_string(offset / type->size) + "]" + path : path;
}

}  // namespace heddle::program
