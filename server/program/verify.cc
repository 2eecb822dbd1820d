#include "server/program/operands.h"
#include "server/program/print.h"

namespace heddle::program {
namespace {

class Verifier {
 public:
  explicit Verifier(const Unit& unit) : unit_(unit) {}

  std::vector<std::string> run() {
    verify_tables();
    for (const Function& function : unit_.functions) verify_function(function);
    for (const Global& global : unit_.globals) verify_global(global);
    for (const Alias& alias : unit_.aliases) {
      check_symbol(alias.symbol.value, "alias");
      check_symbol(alias.target.value, "target of an alias");
    }
    for (const Initialiser& initialiser : unit_.initialisers) check_symbol(initialiser.function.value, "initialiser");
    return std::move(problems_);
  }

 private:
  void problem(const std::string& text) {
    if (problems_.size() < 100) problems_.push_back(where_ + text);
  }
  void check(bool sound, const char* text) {
    if (!sound) problem(text);
  }
  void check_symbol(uint32_t id, const char* what) {
    if (id >= unit_.symbols.size()) problem(std::string(what) + ": unknown symbol " + std::to_string(id));
  }
  void check_type(TypeId id) { check(!id.valid() || id.value < unit_.types.size(), "type out of range"); }
  void check_place(PlaceId id) { check(!id.valid() || id.value < unit_.places.size(), "place out of range"); }

  void verify_tables() {
    where_ = "unit: ";
    check(!unit_.places.empty(), "no unknown place");
    for (const Place& place : unit_.places)
      check(!place.file.valid() || place.file.value < unit_.files.size(), "place in an unknown file");
    for (const Type& type : unit_.types) {
      check_type(type.element);
      for (const Type::Field& field : type.fields) check_type(field.type);
    }
  }

  void verify_global(const Global& global) {
    where_ = "global: ";
    check_symbol(global.symbol.value, "definition");
    check_type(global.type);
    check_place(global.place);
    check(global.initialiser.size() <= global.size, "initialiser larger than the variable");
    check(global.relocations.empty() || !global.initialiser.empty(), "relocations without an initialiser");
    for (const Relocation& relocation : global.relocations) {
      check_symbol(relocation.symbol.value, "relocation");
      check(relocation.offset + 8 <= global.size, "relocation out of range");
    }
  }

  void verify_function(const Function& function) {
    check_symbol(function.symbol.value, "definition");
    const bool named = function.symbol.value < unit_.symbols.size();
    const std::string name = named ? unit_.symbols[function.symbol.value].name : "?";
    where_ = name + ": ";
    check(!function.code.empty(), "no code");
    check(function.places.size() == function.code.size(), "places are not parallel to code");
    check(function.parameter_slots <= function.frame_slots, "parameters outside the frame");
    check(function.code.empty() || is_terminator(function.code.back().op), "runs off its end");
    check_place(function.place);
    for (PlaceId place : function.places) check_place(place);
    for (const SwitchTable& table : function.switches) {
      check(table.values.empty() || table.values.size() == table.targets.size(), "switch table not parallel");
      check(table.default_target < function.code.size(), "default target out of range");
      for (uint32_t target : table.targets) check(target < function.code.size(), "switch target out of range");
    }
    for (const CallSite& call : function.calls) {
      check(call.fixed <= call.arguments.size() || call.variadic || call.arguments.size() == 0,
            "fewer arguments than named");
      check(call.unwind == kNoUnwind || call.landing_pad < function.landing_pads.size(), "landing pad out of range");
      for (const Argument& a : call.arguments) check(in_frame(function, a.slot, a.slots), "argument outside the frame");
    }
    for (const LandingPad& pad : function.landing_pads)
      for (const CatchClause& clause : pad.clauses) {
        check(clause.filter || clause.types.size() == 1, "a catch clause has one type");
        for (const SymbolId type : clause.types)
          if (type.valid()) check_symbol(type.value, "caught type");
      }
    for (const StackObject& object : function.stack_objects) {
      check_type(object.type);
      check_place(object.place);
    }
    for (const LocalVariable& local : function.locals) {
      check(in_frame(function, local.slot, 1), "local outside the frame");
      check(local.begin <= local.end && local.end <= function.code.size(), "range of a local");
      check_type(local.type);
    }
    for (const Statement& statement : function.statements)
      check(statement.range.file.valid() && statement.range.file.value < unit_.files.size(),
            "statement in an unknown file");
    for (size_t n = 0; n < function.code.size(); ++n) {
      where_ = name + ":" + std::to_string(n) + ": ";
      verify_instruction(function, function.code[n]);
    }
  }

  static bool in_frame(const Function& function, uint64_t first, uint64_t count) {
    return first + count <= function.frame_slots;
  }

  void verify_instruction(const Function& function, const Instruction& i) {
    if (static_cast<uint32_t>(i.op) >= opcode_count()) return problem("unknown opcode");
    const OpcodeInfo& info = opcode_info(i.op);
    if (info.a == OperandRole::kSymbol) check_symbol(i.a, "operand");
    if (is_call(i.op) && static_cast<uint64_t>(i.imm) >= function.calls.size())
      return problem("call site out of range");
    if ((i.op == Opcode::Switch || i.op == Opcode::IndirectJump) && i.b >= function.switches.size())
      return problem("switch table out of range");
    if (i.op == Opcode::Unsupported) check(i.b < function.unsupported.size(), "message out of range");
    if (i.op == Opcode::StackAllocate || i.op == Opcode::StackAllocateDynamic)
      check(i.b < function.stack_objects.size(), "stack object out of range");
    if (info.imm == OperandRole::kUse) check(i.imm >= 0 && i.imm <= 0xffffffff, "slot number in imm");
    for_each_use(function, i, [&](Slot first, uint32_t count) {
      if (!in_frame(function, first, count)) problem("reads slot " + std::to_string(first) + " outside the frame");
    });
    for_each_definition(function, i, [&](Slot first, uint32_t count) {
      if (!in_frame(function, first, count)) problem("writes slot " + std::to_string(first) + " outside the frame");
    });
    for_each_target(function, i, [&](uint32_t target) {
      if (target >= function.code.size()) problem("target " + std::to_string(target) + " out of range");
    });
    check_width(i);
  }

  void check_width(const Instruction& i) {
    switch (i.op) {
      case Opcode::Load:
      case Opcode::Store:
      case Opcode::AtomicLoad:
      case Opcode::AtomicStore:
      case Opcode::AtomicUpdate:
      case Opcode::CompareExchange:
        check(i.width == 8 || i.width == 16 || i.width == 32 || i.width == 64 || i.width == 80 || i.width == 128,
              "width of a memory access");
        break;
      case Opcode::FloatBinary:
      case Opcode::FloatUnary:
      case Opcode::FloatFused:
      case Opcode::FloatCompare:
      case Opcode::FloatConvert:
      case Opcode::IntToFloat:
        check(i.width == 32 || i.width == 64 || i.width == 80, "width of a float operation");
        break;
      default:
        if (i.op >= Opcode::Add && i.op <= Opcode::Truncate)
          check(i.width >= 1 && i.width <= 64, "width of an operation");
        break;
    }
  }

  const Unit& unit_;
  std::string where_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verify(const Unit& unit) { return Verifier(unit).run(); }

}  // namespace heddle::program
