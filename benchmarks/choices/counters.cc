#include "benchmarks/choices/counters.h"

#include <algorithm>
#include <optional>

namespace heddle::bench {

using analysis::CodeGraph;
using analysis::Facts;
using analysis::Interaction;
using analysis::InteractionKind;
using analysis::ObjectId;
using program::CodeAddress;
using program::FunctionId;
using program::Instruction;
using program::Opcode;

namespace {

using Graphs = std::vector<std::unique_ptr<CodeGraph>>;

class Finder {
 public:
  Finder(const Facts& facts, const Graphs& graphs) : facts_(facts), graphs_(graphs) {}

  std::vector<Counter> find() {
    std::vector<Counter> found;
    for (uint32_t o = 0; o < facts_.objects.size(); ++o)
      if (auto counter = counter_of(ObjectId(o))) found.push_back(*std::move(counter));
    return found;
  }

 private:
  const std::vector<Instruction>& code(FunctionId f) const { return facts_.program->function(f).code; }

  std::optional<Counter> counter_of(ObjectId object) const {
    Counter counter;
    counter.object = object;
    if (!facts_.objects[object.value].shared || !set_place(counter) || !set_change(counter)) return std::nullopt;
    if (!set_roles(counter)) return std::nullopt;
    find_gates(counter);
    return counter.gates.empty() ? std::nullopt : std::optional(counter);
  }

  // A whole global variable, or a field of one that is no element of an array.
  bool set_place(Counter& counter) const {
    const analysis::Object& object = facts_.objects[counter.object.value];
    const ObjectId whole = object.whole.valid() ? object.whole : counter.object;
    const analysis::Object& variable = facts_.objects[whole.value];
    const analysis::Shape& shape = facts_.shapes[whole.value];
    if (variable.kind != analysis::ObjectKind::Global || shape.period != 0) return false;
    counter.global = variable.global;
    if (whole == counter.object) return true;
    for (const auto& part : facts_.sub_objects[whole.value]) {
      if (part.object != counter.object) continue;
      counter.offset = static_cast<uint32_t>(part.begin);
      return part.end - part.begin <= 8;
    }
    return false;
  }

  // One store changes it: a load, plus or minus one, in its own block with nothing between.
  bool set_change(Counter& counter) const {
    const Interaction* change = nullptr;
    for (const Interaction& interaction : facts_.interactions) {
      if (!std::binary_search(interaction.objects.begin(), interaction.objects.end(), counter.object)) continue;
      if (interaction.kind == InteractionKind::Read) continue;
      if (interaction.kind != InteractionKind::Write || change != nullptr || interaction.objects.size() != 1)
        return false;
      change = &interaction;
    }
    if (change == nullptr || !graphs_[change->at.function.value]) return false;
    const FunctionId f = change->at.function;
    const Instruction& store = code(f)[change->at.index];
    if (store.op != Opcode::Store) return false;
    const auto sum_at = definition_before(f, change->at.index, store.b);
    if (!sum_at || code(f)[*sum_at].op != Opcode::AddI) return false;
    const Instruction& sum = code(f)[*sum_at];
    const auto load_at = definition_before(f, *sum_at, sum.a);
    if (!load_at || !reads({f, *load_at}, counter.object) || !is_quiet(f, *load_at, change->at.index)) return false;
    const Instruction& load = code(f)[*load_at];
    const int64_t step = load.width == 32 ? static_cast<int32_t>(sum.imm) : sum.imm;
    if (step != 1 && step != -1) return false;
    counter.upwards = step == 1;
    counter.bytes = load.width / 8u;
    counter.change = change->at;
    return true;
  }

  // The only instruction that the value comes from, if it stands before in the same block.
  std::optional<uint32_t> definition_before(FunctionId f, uint32_t index, program::Slot slot) const {
    const CodeGraph& graph = *graphs_[f.value];
    const auto definitions = graph.definitions(index, slot);
    if (definitions.size() != 1 || definitions[0] == CodeGraph::kParameter || definitions[0] >= index) return {};
    return graph.block_of(definitions[0]) == graph.block_of(index) ? std::optional(definitions[0]) : std::nullopt;
  }

  // Does nothing between the two touch memory or call?
  bool is_quiet(FunctionId f, uint32_t from, uint32_t to) const {
    return std::all_of(code(f).begin() + from + 1, code(f).begin() + to, [](const Instruction& between) {
      return between.op == Opcode::SymbolAddress || between.op == Opcode::Const || between.op == Opcode::Move ||
             between.op == Opcode::AddI || between.op == Opcode::PointerAdd;
    });
  }

  bool reads(CodeAddress at, ObjectId object) const {
    const Interaction* interaction = facts_.interaction(at);
    return code(at.function)[at.index].op == Opcode::Load && interaction != nullptr &&
           interaction->kind == InteractionKind::Read && interaction->objects == std::vector{object};
  }

  // Each thread of each role that runs it comes to it at most once: one call leads there, and no loop is around it.
  bool set_roles(Counter& counter) const {
    counter.roles = facts_.roles_of[counter.change.function.value];
    if (counter.roles.empty()) return false;
    CodeAddress at = counter.change;
    for (unsigned depth = 0; depth < 64; ++depth) {
      if (!graphs_[at.function.value] || graphs_[at.function.value]->in_loop(at.index)) return false;
      const auto& callers = facts_.callers_of[at.function.value];
      if (callers.empty()) return true;
      if (callers.size() != 1) return false;
      at = callers[0];
    }
    return false;
  }

  // Branches on a comparison of the counter, which is loaded just before.
  void find_gates(Counter& counter) const {
    for (const Interaction& read : facts_.interactions) {
      const FunctionId f = read.at.function;
      if (!graphs_[f.value] || !reads(read.at, counter.object)) continue;
      const Instruction& load = code(f)[read.at.index];
      const CodeGraph& graph = *graphs_[f.value];
      const uint32_t end = graph.blocks()[graph.block_of(read.at.index)].end - 1;
      const Instruction& branch = code(f)[end];
      if (load.width / 8u != counter.bytes || branch.op != Opcode::Branch || branch.dst == branch.b) continue;
      const auto compare_at = definition_before(f, end, branch.a);
      if (!compare_at || *compare_at + 1 != end || !is_quiet(f, read.at.index, *compare_at)) continue;
      const Instruction& compare = code(f)[*compare_at];
      if (definition_before(f, *compare_at, compare.a) != std::optional(read.at.index)) continue;
      const int64_t number = load.width == 32 ? static_cast<int32_t>(compare.imm) : compare.imm;
      for (const bool holds : {true, false}) {
        const auto least = reached_if(compare.op, number, holds, counter.upwards);
        if (least) add_gate(counter, *least, {CodeAddress{f, end}, graph.block_of(holds ? branch.dst : branch.b)});
      }
    }
  }

  // The number that the counter must have reached if the comparison has this outcome; none: it says nothing.
  static std::optional<int64_t> reached_if(Opcode compare, int64_t number, bool holds, bool upwards) {
    switch (compare) {
      case Opcode::CmpEqI: return holds ? std::optional(number) : std::nullopt;
      case Opcode::CmpNeI: return holds ? std::nullopt : std::optional(number);
      case Opcode::CmpSLtI:
        if (upwards) return holds ? std::nullopt : std::optional(number);
        return holds ? std::optional(number - 1) : std::nullopt;
      case Opcode::CmpSGeI:
        if (upwards) return holds ? std::optional(number) : std::nullopt;
        return holds ? std::nullopt : std::optional(number - 1);
      case Opcode::CmpSGtI:
        if (upwards) return holds ? std::optional(number + 1) : std::nullopt;
        return holds ? std::nullopt : std::optional(number);
      case Opcode::CmpSLeI:
        if (upwards) return holds ? std::nullopt : std::optional(number + 1);
        return holds ? std::optional(number) : std::nullopt;
      default: return std::nullopt;
    }
  }

  static void add_gate(Counter& counter, int64_t number, std::pair<CodeAddress, uint32_t> way) {
    for (Counter::Gate& gate : counter.gates) {
      if (gate.number != number) continue;
      gate.passages.ways.insert(way);
      return;
    }
    counter.gates.push_back({number, {{}, {way}}});
  }

  const Facts& facts_;
  const Graphs& graphs_;
};

}  // namespace

std::vector<Counter> find_counters(const Facts& facts, const Graphs& graphs) { return Finder(facts, graphs).find(); }

}  // namespace heddle::bench
