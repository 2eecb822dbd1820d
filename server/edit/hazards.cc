#include "server/edit/hazards.h"

#include <algorithm>
#include <set>

#include "server/edit/constant_text.h"
#include "server/program/operands.h"

namespace heddle::edit {
namespace {

constexpr int kStepsMost = 8;  // from an address back to its variable

bool divides(Opcode op) {
  switch (op) {
    case Opcode::UDiv:
    case Opcode::SDiv:
    case Opcode::URem:
    case Opcode::SRem:
    case Opcode::UDivI:
    case Opcode::SDivI:
    case Opcode::URemI:
    case Opcode::SRemI: return true;
    default: return false;
  }
}

bool immediate(Opcode op) { return program::opcode_info(op).imm == program::OperandRole::kNumber; }

int64_t sign_extended(int64_t value, uint32_t width) {
  const uint32_t shift = 64 - std::min(width, 64u);
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}

// Neither zero nor the -1 that the least number cannot be divided by.
bool good_divisor(int64_t value, uint32_t width) {
  const int64_t divisor = sign_extended(value, width);
  return divisor != 0 && divisor != -1;
}

// It allocates a block that has to be freed, or frees one.
bool owns(const library::Function& row) {
  return row.effect == library::Effect::Allocates || row.effect == library::Effect::Reallocates ||
         row.effect == library::Effect::Frees;
}

bool accesses(Opcode op) {
  switch (op) {
    case Opcode::Load:
    case Opcode::Store:
    case Opcode::AtomicLoad:
    case Opcode::AtomicStore:
    case Opcode::AtomicUpdate:
    case Opcode::CompareExchange: return true;
    default: return false;
  }
}

bool has_offset(Opcode op) { return op != Opcode::AtomicUpdate && op != Opcode::CompareExchange; }

// Bytes of the variable that the definition is the address of; 0: not known, or to be written although constant.
uint64_t variable_size(const Facts& facts, const FunctionView& view, const Instruction& definition, bool writes) {
  const program::Program& program = *facts.program;
  if (definition.op == Opcode::StackAllocate) return static_cast<uint64_t>(definition.imm);
  if (definition.op != Opcode::SymbolAddress) return 0;
  const program::Binding binding = program.binding(view.id(), program::SymbolId(definition.a));
  if (binding.kind != program::BindingKind::Global) return 0;
  const program::Global& global = program.global(program::GlobalId(binding.id));
  return writes && global.constant ? 0 : global.size;
}

// Loops whose branch compares a counter, changed by a constant in every round, with what does not change in the loop.
class Counted {
 public:
  Counted(const FunctionView& view, const CodeGraph::Loop& loop) : view_(view), graph_(view.graph()), loop_(loop) {}

  bool ends() const {
    return std::any_of(loop_.blocks.begin(), loop_.blocks.end(),
                       [&](uint32_t b) { return graph_.leaves_loop(b, loop_) && every_round(b) && counts(b); });
  }

  // The largest number of rounds, where start and bound are constants; 0: not known.
  uint64_t rounds() const {
    uint64_t least = 0;
    for (uint32_t b : loop_.blocks) {
      if (!graph_.leaves_loop(b, loop_) || !every_round(b) || !counts(b)) continue;
      const uint64_t here = rounds_until(b);
      if (here != 0 && (least == 0 || here < least)) least = here;
    }
    return least;
  }

 private:
  uint64_t rounds_until(uint32_t block) const {
    const uint32_t at = graph_.blocks()[block].end - 1;
    const uint32_t condition = graph_.definitions(at, view_.code().code[at].a)[0];
    const Instruction& compare = view_.code().code[condition];
    if (!immediate(compare.op) || compare.width > 64) return 0;
    const int64_t bound = sign_extended(compare.imm, compare.width);
    uint64_t most = 0;
    for (uint32_t d : graph_.definitions(condition, compare.a)) {
      if (inside(d)) continue;
      if (d == CodeGraph::kParameter || view_.code().code[d].op != Opcode::Const) return 0;
      const int64_t start = sign_extended(view_.code().code[d].imm, compare.width);
      const uint64_t distance = start < bound ? static_cast<uint64_t>(bound) - static_cast<uint64_t>(start)
                                              : static_cast<uint64_t>(start) - static_cast<uint64_t>(bound);
      most = std::max(most, distance);
    }
    return most == ~uint64_t{0} ? most : most + 1;
  }

  // Does every way from the head back to it pass the block?
  bool every_round(uint32_t block) const {
    if (block == loop_.head) return true;
    std::vector<uint32_t> work{loop_.head}, seen{loop_.head};
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      for (uint32_t s : graph_.blocks()[b].successors) {
        if (s == loop_.head) return false;
        if (s == block || !loop_.has(s) || std::count(seen.begin(), seen.end(), s)) continue;
        seen.push_back(s);
        work.push_back(s);
      }
    }
    return true;
  }

  bool inside(uint32_t definition) const {
    return definition != CodeGraph::kParameter && loop_.has(graph_.block_of(definition));
  }

  bool fixed(uint32_t at, Slot slot) const {
    const auto definitions = graph_.definitions(at, slot);
    return std::none_of(definitions.begin(), definitions.end(), [&](uint32_t d) { return inside(d); });
  }

  struct Step {
    int64_t by = 0;      // what the slot gains in every round; 0: it is no counter
    uint32_t width = 0;  // in bits; the bits above are zero
  };
  Step step(uint32_t at, Slot slot) const {
    uint32_t adds = CodeGraph::kParameter;
    for (uint32_t d : graph_.definitions(at, slot)) {
      if (!inside(d)) continue;
      if (adds != CodeGraph::kParameter) return {};
      adds = d;
    }
    if (adds == CodeGraph::kParameter) return {};
    const Instruction& i = view_.code().code[adds];
    if ((i.op != Opcode::AddI && i.op != Opcode::SubI) || i.dst != slot || i.a != slot) return {};
    for (uint32_t d : graph_.definitions(adds, slot))
      if (inside(d) && d != adds) return {};
    if (!every_round(graph_.block_of(adds))) return {};
    const int64_t value = sign_extended(i.imm, i.width);
    return {i.op == Opcode::AddI ? value : -value, i.width};
  }

  bool counts(uint32_t block) const {
    const uint32_t at = graph_.blocks()[block].end - 1;
    const Instruction& branch = view_.code().code[at];
    if (branch.op != Opcode::Branch) return false;
    const auto condition = graph_.definitions(at, branch.a);
    if (condition.size() != 1 || condition[0] == CodeGraph::kParameter) return false;
    const Instruction& compare = view_.code().code[condition[0]];
    const bool stays = loop_.has(graph_.block_of(branch.dst));  // while the comparison holds
    if (stays == loop_.has(graph_.block_of(branch.b))) return false;
    const Step counter = step(condition[0], compare.a);
    if (counter.by != 1 && counter.by != -1) return false;  // others may step over the end, or wrap round to before it
    if (counter.width < compare.width) return leaves_within(compare, stays, counter);
    const int64_t by = counter.by;
    switch (compare.op) {
      case Opcode::CmpNe:
      case Opcode::CmpNeI: return stays && bounded(condition[0], compare);
      case Opcode::CmpEq:
      case Opcode::CmpEqI: return !stays && bounded(condition[0], compare);
      case Opcode::CmpULt:
      case Opcode::CmpSLt:
      case Opcode::CmpULtI:
      case Opcode::CmpSLtI: return stays ? by > 0 && bounded(condition[0], compare) : by < 0 && constant(compare);
      case Opcode::CmpUGt:
      case Opcode::CmpSGt:
      case Opcode::CmpUGtI:
      case Opcode::CmpSGtI: return stays ? by < 0 && bounded(condition[0], compare) : by > 0 && constant(compare);
      case Opcode::CmpULeI:
      case Opcode::CmpSLeI: return (stays ? by > 0 : by < 0) && constant(compare);
      case Opcode::CmpUGeI:
      case Opcode::CmpSGeI: return (stays ? by < 0 : by > 0) && constant(compare);
      default: return false;
    }
  }

  // A counter narrower than the comparison never gets past its own last value: one of its values has to end the loop.
  static bool leaves_within(const Instruction& compare, bool stays, const Step& counter) {
    if (!immediate(compare.op) || compare.width > 64) return false;
    const bool is_signed = compare.op == Opcode::CmpSLtI || compare.op == Opcode::CmpSLeI ||
                           compare.op == Opcode::CmpSGtI || compare.op == Opcode::CmpSGeI;
    const int64_t bound = sign_extended(compare.imm, compare.width);
    const int64_t last = static_cast<int64_t>((uint64_t{1} << counter.width) - 1);
    if (bound < 0 && !is_signed) return false;  // far after the last
    const bool up = counter.by > 0;
    switch (compare.op) {
      case Opcode::CmpNeI: return stays && bound >= 0 && bound <= last;
      case Opcode::CmpEqI: return !stays && bound >= 0 && bound <= last;
      case Opcode::CmpULtI:
      case Opcode::CmpSLtI: return stays ? up && bound <= last : !up && bound > 0;
      case Opcode::CmpUGtI:
      case Opcode::CmpSGtI: return stays ? !up && bound >= 0 : up && bound < last;
      case Opcode::CmpULeI:
      case Opcode::CmpSLeI: return stays ? up && bound < last : !up && bound >= 0;
      case Opcode::CmpUGeI:
      case Opcode::CmpSGeI: return stays ? !up && bound > 0 : up && bound <= last;
      default: return false;
    }
  }

  bool bounded(uint32_t at, const Instruction& compare) const { return immediate(compare.op) || fixed(at, compare.b); }

  // A bound that is not the first or last value of its type, which no counter gets past.
  static bool constant(const Instruction& compare) {
    if (!immediate(compare.op) || compare.width > 64) return false;
    const int64_t bound = sign_extended(compare.imm, compare.width), last = sign_extended(-1, compare.width);
    const int64_t least = sign_extended(int64_t(uint64_t{1} << (compare.width - 1)), compare.width);
    switch (compare.op) {
      case Opcode::CmpSLtI:
      case Opcode::CmpSLeI:
      case Opcode::CmpSGtI:
      case Opcode::CmpSGeI: return bound != least && bound != ~least;
      default: return bound != 0 && bound != last;
    }
  }

  const FunctionView& view_;
  const CodeGraph& graph_;
  const CodeGraph::Loop& loop_;
};

bool any_argument_decides(const Facts& facts, const FunctionView& view, uint32_t index) {
  const auto& operands = view.operands(index);
  return std::any_of(operands.begin(), operands.end(),
                     [&](const Operand& operand) { return argument_decides(facts, view, index, operand); });
}

// A loop that counts may still take longer than a path may be: it is one of several in each other, or its bound is
// large, or not known.
bool ends_soon(const FunctionView& view, const CodeGraph::Loop& loop) {
  constexpr uint64_t kRoundsMost = uint64_t{1} << 22;
  uint64_t product = 1;
  for (const CodeGraph::Loop& around : view.graph().loops()) {
    if (!around.has(loop.head)) continue;
    const Counted counted(view, around);
    if (!counted.ends()) continue;  // a hazard of its own
    const uint64_t rounds = counted.rounds();
    if (rounds == 0 || rounds > kRoundsMost / product) return false;
    product *= rounds;
  }
  return true;
}

void mark_leaving_branches(const FunctionView& view, const CodeGraph::Loop& loop, std::vector<Hazard>& hazards) {
  for (uint32_t b : loop.blocks)
    if (const uint32_t branch = view.graph().blocks()[b].end - 1;
        view.graph().leaves_loop(b, loop) && hazards[branch] == Hazard::None)
      hazards[branch] = Hazard::Fault;
}

// A recursion ends by what decides whether it continues, and by what it is given.
void mark_recursion(const FunctionView& view, std::vector<Hazard>& hazards) {
  for (uint32_t i = 0; i < hazards.size(); ++i) {
    if (!view.reachable(i) || !program::is_call(view.code().code[i].op) || !view.recurses(i)) continue;
    hazards[i] = Hazard::Fault;
    for (const CodeGraph::Control& control : view.controls(i))
      if (hazards[control.branch] == Hazard::None) hazards[control.branch] = Hazard::Fault;
  }
}

}  // namespace

bool looks_at_shared(const FunctionView& view, uint32_t branch) {
  std::set<uint32_t> seen{branch};
  std::vector<uint32_t> work{branch};
  while (!work.empty()) {
    const uint32_t i = work.back();
    work.pop_back();
    if (view.interaction(i)) return true;
    for (const Operand& operand : view.operands(i))
      for (uint32_t d : operand.definitions)
        if (d != CodeGraph::kParameter && seen.insert(d).second) work.push_back(d);
  }
  return false;
}

bool cannot_fault(const Facts& facts, const FunctionView& view, uint32_t index) {
  const Function& function = view.code();
  const Instruction& instruction = function.code[index];
  if (!accesses(instruction.op) && !divides(instruction.op)) return false;
  if (divides(instruction.op) && immediate(instruction.op)) return good_divisor(instruction.imm, instruction.width);
  const Slot wanted = accesses(instruction.op) ? instruction.a : instruction.b;
  uint32_t at = index;
  Slot slot = wanted;
  int64_t offset = accesses(instruction.op) && has_offset(instruction.op) ? instruction.imm : 0;
  for (int depth = 0; depth < kStepsMost; ++depth) {
    const auto definitions = view.graph().definitions(at, slot);
    if (definitions.size() != 1 || definitions[0] == CodeGraph::kParameter) return false;
    const Instruction& d = function.code[definitions[0]];
    if (divides(instruction.op) && d.op == Opcode::Const) return good_divisor(d.imm, instruction.width);
    if (accesses(instruction.op) && (d.op == Opcode::StackAllocate || d.op == Opcode::SymbolAddress)) {
      if (d.op == Opcode::SymbolAddress) offset += d.imm;
      const bool writes = instruction.op != Opcode::Load && instruction.op != Opcode::AtomicLoad;
      const uint64_t size = variable_size(facts, view, d, writes);
      return offset >= 0 && static_cast<uint64_t>(offset) + (instruction.width + 7u) / 8 <= size;
    }
    if (d.op == Opcode::PointerAdd)
      offset += d.imm;
    else if (d.op != Opcode::Move)
      return false;
    at = definitions[0];
    slot = d.a;
  }
  return false;
}

bool may_fill_stack(const Instruction& i) {
  constexpr int64_t kSmall = 1024;  // bytes: of the smallest stack, 16 KB
  return i.op == Opcode::StackAllocateDynamic || (i.op == Opcode::StackAllocate && i.imm >= kSmall);
}

bool may_lose_block(const Facts& facts, const FunctionView& view, uint32_t index) {
  const Instruction& i = view.code().code[index];
  const auto* row = analysis::library_callee(*facts.program, view.id(), i);
  if (row) return row->effect == library::Effect::Frees || row->effect == library::Effect::Reallocates;
  if (!(i.op == Opcode::Store && i.width == 64) && i.op != Opcode::MemoryCopy && i.op != Opcode::MemorySet)
    return false;
  const bool blocks = std::any_of(facts.objects.begin(), facts.objects.end(),
                                  [](const auto& o) { return o.kind == analysis::ObjectKind::Heap; });
  const auto& written = view.memory(index).writes;
  return blocks && std::any_of(written.begin(), written.end(),
                               [&](ObjectId o) { return facts.objects[o.value].kind != analysis::ObjectKind::Stack; });
}

bool may_run(const Facts& facts, CodeAddress call, library::Effect effect) {
  std::set<CodeAddress> seen{call};
  std::vector<CodeAddress> work{call};
  while (!work.empty()) {
    const CodeAddress at = work.back();
    work.pop_back();
    const Instruction& i = facts.program->instruction(at);
    if (!program::is_call(i.op)) continue;
    if (const auto* row = analysis::library_callee(*facts.program, at.function, i); row && row->effect == effect)
      return true;
    const auto callees = facts.callees.find(at);
    if (callees == facts.callees.end()) continue;
    for (const FunctionId f : callees->second)
      for (uint32_t n = 0; n < facts.program->function(f).code.size(); ++n)
        if (program::is_call(facts.program->function(f).code[n].op) && seen.insert({f, n}).second)
          work.push_back({f, n});
  }
  return false;
}

std::vector<Hazard> find_hazards(const Facts& facts, const FunctionView& view) {
  const CodeGraph& graph = view.graph();
  const auto& code = view.code().code;
  std::vector<Hazard> hazards(code.size(), Hazard::None);
  for (uint32_t i = 0; i < code.size(); ++i) {
    if (!view.reachable(i)) continue;
    const bool copies = code[i].op == Opcode::MemoryCopy || code[i].op == Opcode::MemorySet;
    const auto* row = analysis::library_callee(*facts.program, view.id(), code[i]);
    const bool library =
        row && !row->fails && !view.interaction(i) &&
        (!view.memory(i).writes.empty() || owns(*row) || row->name.ends_with("div") ||
         ((row->reads || row->writes) && !library::only_sets_errno(*row) && any_argument_decides(facts, view, i)));
    const bool through_pointer = code[i].op == Opcode::CallIndirect;
    if (copies || may_fill_stack(code[i]) || library || through_pointer ||
        ((accesses(code[i].op) || divides(code[i].op)) && !cannot_fault(facts, view, i)))
      hazards[i] = Hazard::Fault;
  }
  mark_recursion(view, hazards);
  for (const CodeGraph::Loop& loop : graph.loops()) {
    if (Counted(view, loop).ends()) {
      if (!ends_soon(view, loop)) mark_leaving_branches(view, loop, hazards);
      continue;
    }
    bool left = false;
    uint32_t back = graph.blocks()[loop.head].end - 1;
    for (uint32_t b : loop.blocks) {
      const auto& out = graph.blocks()[b].successors;
      if (std::count(out.begin(), out.end(), loop.head)) back = graph.blocks()[b].end - 1;
      if (!graph.leaves_loop(b, loop)) continue;
      left = true;
      if (const uint32_t branch = graph.blocks()[b].end - 1; !looks_at_shared(view, branch))
        hazards[branch] = Hazard::Loop;
    }
    if (!left) hazards[back] = Hazard::Loop;
  }
  return hazards;
}

std::vector<uint32_t> what_follows(const FunctionView& view, uint32_t index) {
  const CodeGraph& graph = view.graph();
  const auto& blocks = graph.blocks();
  const uint32_t start = graph.block_of(index);
  const auto leaves = [&](uint32_t to) {
    return std::any_of(graph.loops().begin(), graph.loops().end(),
                       [&](const CodeGraph::Loop& loop) { return loop.has(start) && !loop.has(to); });
  };
  std::vector<uint8_t> after(blocks.size(), 0);
  std::vector<uint32_t> work, result;
  for (uint32_t s : blocks[start].successors)
    if (view.hazard(index) != Hazard::Loop || leaves(s)) after[s] = 1, work.push_back(s);
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    for (uint32_t s : blocks[b].successors)
      if (!after[s]) after[s] = 1, work.push_back(s);
  }
  for (uint32_t b = 0; b < blocks.size(); ++b) {
    const uint32_t begin = after[b] ? blocks[b].begin : b == start ? index + 1 : blocks[b].end;
    for (uint32_t i = begin; i < blocks[b].end; ++i) result.push_back(i);
  }
  return result;
}

}  // namespace heddle::edit
