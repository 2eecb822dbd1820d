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
    const auto& instructions = code(change->at.function);
    const uint32_t store = change->at.index;
    if (store < 2 || instructions[store].op != Opcode::Store) return false;
    const Instruction &sum = instructions[store - 1], &load = instructions[store - 2];
    if (sum.op != Opcode::AddI || load.op != Opcode::Load || sum.dst != instructions[store].b || sum.a != load.dst)
      return false;
    const CodeGraph& graph = *graphs_[change->at.function.value];
    if (graph.block_of(store) != graph.block_of(store - 2)) return false;
    if (!reads(CodeAddress{change->at.function, store - 2}, counter.object)) return false;
    const int64_t step = load.width == 32 ? static_cast<int32_t>(sum.imm) : sum.imm;
    if (step != 1 && step != -1) return false;
    counter.upwards = step == 1;
    counter.bytes = load.width / 8u;
    counter.change = change->at;
    return true;
  }

  bool reads(CodeAddress at, ObjectId object) const {
    const Interaction* interaction = facts_.interaction(at);
    return interaction != nullptr && interaction->kind == InteractionKind::Read &&
           interaction->objects == std::vector{object};
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
      if (!reads(read.at, counter.object) || !graphs_[f.value] || read.at.index + 2 >= code(f).size()) continue;
      const Instruction &load = code(f)[read.at.index], &compare = code(f)[read.at.index + 1],
                        &branch = code(f)[read.at.index + 2];
      if (load.op != Opcode::Load || load.width / 8u != counter.bytes) continue;
      if (branch.op != Opcode::Branch || compare.a != load.dst || branch.a != compare.dst) continue;
      const CodeGraph& graph = *graphs_[f.value];
      if (graph.block_of(read.at.index) != graph.block_of(read.at.index + 2) || branch.dst == branch.b) continue;
      const int64_t number = load.width == 32 ? static_cast<int32_t>(compare.imm) : compare.imm;
      const CodeAddress at{f, read.at.index + 2};
      for (const bool holds : {true, false}) {
        const auto least = reached_if(compare.op, number, holds, counter.upwards);
        if (least) add_gate(counter, *least, {at, graph.block_of(holds ? branch.dst : branch.b)});
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
