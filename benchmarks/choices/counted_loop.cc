#include "benchmarks/choices/counted_loop.h"

#include <algorithm>

namespace heddle::bench {

using analysis::Block;
using analysis::CodeGraph;
using program::Instruction;
using program::Opcode;
using program::Slot;

namespace {

bool leaves_only_at_its_head(const CodeGraph& graph, const CodeGraph::Loop& loop) {
  return std::all_of(loop.blocks.begin(), loop.blocks.end(), [&](uint32_t block) {
    const auto& successors = graph.blocks()[block].successors;
    return block == loop.head || std::all_of(successors.begin(), successors.end(), [&](uint32_t next) {
             return loop.has(next) || graph.blocks()[next].fails;
           });
  });
}

size_t loops_around(const CodeGraph& graph, uint32_t block) {
  return static_cast<size_t>(std::count_if(graph.loops().begin(), graph.loops().end(),
                                           [&](const CodeGraph::Loop& loop) { return loop.has(block); }));
}

std::vector<uint32_t> sorted_definitions(const CodeGraph& graph, uint32_t index, Slot slot) {
  std::vector<uint32_t> definitions = graph.definitions(index, slot);
  std::sort(definitions.begin(), definitions.end());
  return definitions;
}

}  // namespace

std::optional<CountedLoop> counted_loop(const CodeGraph& graph, const CodeGraph::Loop& loop) {
  const auto& code = graph.function().code;
  CountedLoop result;
  result.loop = &loop;
  result.branch = graph.blocks()[loop.head].end - 1;
  const Instruction& branch = code[result.branch];
  if (branch.op != Opcode::Branch || !leaves_only_at_its_head(graph, loop)) return std::nullopt;
  result.body = graph.block_of(branch.dst);
  result.exit = graph.block_of(branch.b);
  if (!loop.has(result.body) || loop.has(result.exit)) return std::nullopt;
  const auto compares = graph.definitions(result.branch, branch.a);
  if (compares.size() != 1 || compares[0] == CodeGraph::kParameter) return std::nullopt;
  const Instruction& compare = code[compares[0]];
  if (compare.op != Opcode::CmpSLtI && compare.op != Opcode::CmpULtI && compare.op != Opcode::CmpNeI)
    return std::nullopt;
  result.counter = sorted_definitions(graph, compares[0], compare.a);
  if (result.counter.size() != 2 || result.counter[1] == CodeGraph::kParameter) return std::nullopt;
  const bool first_is_inside = loop.has(graph.block_of(result.counter[0]));
  const uint32_t before = result.counter[first_is_inside], step = result.counter[!first_is_inside];
  if (loop.has(graph.block_of(before)) || !loop.has(graph.block_of(step))) return std::nullopt;
  if (code[before].op != Opcode::Const || code[step].op != Opcode::AddI || code[step].imm != 1) return std::nullopt;
  if (sorted_definitions(graph, step, code[step].a) != result.counter) return std::nullopt;
  if (loops_around(graph, graph.block_of(step)) != loops_around(graph, loop.head)) return std::nullopt;
  result.first = code[before].imm;
  result.end = compare.imm;
  if (result.first < 0 || result.first >= result.end) return std::nullopt;
  return result;
}

std::optional<CountedLoop> only_loop_around(const CodeGraph& graph, uint32_t index) {
  const uint32_t block = graph.block_of(index);
  if (loops_around(graph, block) != 1) return std::nullopt;
  for (const CodeGraph::Loop& loop : graph.loops())
    if (loop.has(block)) return counted_loop(graph, loop);
  return std::nullopt;
}

bool each_round_passes(const CodeGraph& graph, const CountedLoop& loop, uint32_t index) {
  const uint32_t without = graph.block_of(index);
  std::vector<uint32_t> work{loop.body}, seen{loop.body};
  if (loop.body == without) return true;
  while (!work.empty()) {
    const uint32_t block = work.back();
    work.pop_back();
    for (const uint32_t next : graph.blocks()[block].successors) {
      if (next == loop.loop->head) return false;
      if (next == without || !loop.loop->has(next) || std::find(seen.begin(), seen.end(), next) != seen.end()) continue;
      seen.push_back(next);
      work.push_back(next);
    }
  }
  return true;
}

std::optional<LocalRange> local_range(const CodeGraph& graph, uint32_t index, Slot slot, int64_t size,
                                      const CountedLoop* loop, unsigned depth) {
  const std::vector<uint32_t> definitions = graph.definitions(index, slot);
  if (depth == 0 || definitions.size() != 1 || definitions[0] == CodeGraph::kParameter) return std::nullopt;
  const Instruction& from = graph.function().code[definitions[0]];
  if (from.op == Opcode::StackAllocate) return LocalRange{definitions[0], 0, size};
  const bool indexed = from.op == Opcode::PointerIndex;
  if (from.op != Opcode::Move && from.op != Opcode::PointerAdd && !indexed) return std::nullopt;
  if (indexed && (loop == nullptr || sorted_definitions(graph, definitions[0], from.b) != loop->counter))
    return std::nullopt;
  auto range = local_range(graph, definitions[0], from.a, size, loop, depth - 1);
  if (!range) return std::nullopt;
  const int64_t least = indexed ? loop->first * from.imm : from.op == Opcode::PointerAdd ? from.imm : 0;
  const int64_t most = indexed ? (loop->end - 1) * from.imm : least;
  range->begin += std::min(least, most);
  range->end += std::max(least, most);
  return range;
}

}  // namespace heddle::bench
