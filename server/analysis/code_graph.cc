#include "server/analysis/code_graph.h"

#include <algorithm>

#include "server/analysis/post_dominators.h"

namespace heddle::analysis {

void CodeGraph::build(const std::vector<uint8_t>& marks) {
  const auto& code = function_->code;
  const uint32_t size = static_cast<uint32_t>(code.size());
  std::vector<uint8_t> leader(size + 1, 0);
  if (size > 0) leader[0] = 1;
  for (uint32_t i = 0; i < size; ++i) {
    for_each_target(*function_, code[i], [&](uint32_t t) {
      if (t < size) leader[t] = 1;
    });
    if (program::ends_block(*function_, code[i]) || (marks[i] & 1)) leader[i + 1] = 1;
  }
  block_of_.resize(size);
  for (uint32_t i = 0; i < size; ++i) {
    if (leader[i]) {
      if (!blocks_.empty()) blocks_.back().end = i;
      blocks_.emplace_back();
      blocks_.back().begin = i;
    }
    block_of_[i] = static_cast<uint32_t>(blocks_.size() - 1);
  }
  if (!blocks_.empty()) blocks_.back().end = size;

  for (uint32_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    const uint32_t last = block.end - 1;
    const bool returns = !(marks[last] & 1);  // what does not return may still throw
    for_each_target(*function_, code[last], [&](uint32_t t) {
      if (t < size && !(marks[last] & 4)) block.successors.push_back(block_of_[t]);
    });
    if (returns && !program::is_terminator(code[last].op) && block.end < size) block.successors.push_back(b + 1);
    std::sort(block.successors.begin(), block.successors.end());
    block.successors.erase(std::unique(block.successors.begin(), block.successors.end()), block.successors.end());
  }
  std::vector<uint32_t> work;
  if (!blocks_.empty()) blocks_[0].reachable = true, work.push_back(0);
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    for (uint32_t s : blocks_[b].successors)
      if (!blocks_[s].reachable) blocks_[s].reachable = true, work.push_back(s);
  }
  for (uint32_t b = 0; b < blocks_.size(); ++b)
    if (blocks_[b].reachable)
      for (uint32_t s : blocks_[b].successors) blocks_[s].predecessors.push_back(b);
  find_components();
  find_controls(marks);
  find_loops();
}

void CodeGraph::find_components() {
  // Tarjan without recursion.
  const uint32_t count = static_cast<uint32_t>(blocks_.size());
  std::vector<uint32_t> number(count, 0), low(count, 0), stack, next(count, 0), path;
  std::vector<uint8_t> on_stack(count, 0);
  uint32_t counter = 0, components = 0;
  for (uint32_t root = 0; root < count; ++root) {
    if (number[root]) continue;
    path.push_back(root);
    while (!path.empty()) {
      const uint32_t b = path.back();
      if (!number[b]) number[b] = low[b] = ++counter, stack.push_back(b), on_stack[b] = 1;
      if (next[b] < blocks_[b].successors.size()) {
        const uint32_t s = blocks_[b].successors[next[b]++];
        if (!number[s])
          path.push_back(s);
        else if (on_stack[s])
          low[b] = std::min(low[b], number[s]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[b]);
      if (low[b] != number[b]) continue;
      uint32_t members = 0;
      for (uint32_t m = count; m != b;) {
        m = stack.back();
        stack.pop_back();
        on_stack[m] = 0;
        blocks_[m].component = components;
        ++members;
      }
      if (members > 1 || std::count(blocks_[b].successors.begin(), blocks_[b].successors.end(), b))
        blocks_[b].in_loop = true;
      ++components;
    }
  }
  std::vector<uint8_t> loops(components, 0);
  for (const Block& block : blocks_) loops[block.component] |= block.in_loop;
  for (Block& block : blocks_) block.in_loop = loops[block.component];
}

// Blocks from which only failed checks can follow.
void CodeGraph::find_failing(const std::vector<uint8_t>& marks) {
  for (Block& block : blocks_) {
    for (uint32_t i = block.begin; i < block.end; ++i)
      if (marks[i] & 2) block.fails = true;
    const Opcode op = function_->code[block.end - 1].op;
    if (op == Opcode::Trap || op == Opcode::Unreachable) block.fails = true;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = blocks_.size(); b-- > 0;) {
      Block& block = blocks_[b];
      if (block.fails || block.successors.empty()) continue;
      if (std::all_of(block.successors.begin(), block.successors.end(), [&](uint32_t s) { return blocks_[s].fails; }))
        block.fails = changed = true;
    }
  }
}

void CodeGraph::find_controls(const std::vector<uint8_t>& marks) {
  const uint32_t count = static_cast<uint32_t>(blocks_.size());
  controls_.resize(count);
  find_failing(marks);
  std::vector<std::vector<uint32_t>> flow(count);
  std::vector<bool> excluded(count);
  for (uint32_t b = 0; b < count; ++b) {
    excluded[b] = !blocks_[b].reachable || blocks_[b].fails;
    if (excluded[b]) continue;
    for (uint32_t s : blocks_[b].successors)
      if (!blocks_[s].fails) flow[b].push_back(s);
  }
  const FlowGraph graph = with_exit(flow, excluded);
  const std::vector<uint32_t> parent = post_dominators(graph);
  for (uint32_t b = 0; b < count; ++b) {
    if (graph.successors[b].size() < 2) continue;
    for (uint32_t s : graph.successors[b])
      for (uint32_t x = s; x != parent[b] && x != count && x != kNoPostDominator; x = parent[x])
        controls_[x].push_back({blocks_[b].end - 1, s});
  }
  // A failing block is controlled by the branch that leads into it.
  for (uint32_t b = 0; b < count; ++b)
    if (blocks_[b].fails)
      for (uint32_t p : blocks_[b].predecessors)
        if (blocks_[p].successors.size() > 1) controls_[b].push_back({blocks_[p].end - 1, b});
  for (auto& controls : controls_) {
    std::sort(controls.begin(), controls.end());
    controls.erase(std::unique(controls.begin(), controls.end()), controls.end());
  }
}

void CodeGraph::find_loops() {
  const uint32_t count = static_cast<uint32_t>(blocks_.size());
  leaves_.assign(count, 0);
  // Parts that may hold loops; those of the first one are entered from outside, the others after a removed head.
  std::vector<std::vector<uint32_t>> work(1);
  for (uint32_t b = 0; b < count; ++b)
    if (blocks_[b].in_loop && blocks_[b].reachable) work[0].push_back(b);
  std::vector<uint32_t> part(count, 0), number(count, 0), low(count, 0), next(count, 0), stack, path;
  uint32_t parts = 0, counter = 0;
  while (!work.empty()) {
    const std::vector<uint32_t> blocks = std::move(work.back());
    work.pop_back();
    ++parts;
    for (uint32_t b : blocks) part[b] = parts, number[b] = next[b] = 0;
    for (uint32_t root : blocks) {
      if (number[root] || part[root] != parts) continue;
      path.push_back(root);
      while (!path.empty()) {
        const uint32_t b = path.back();
        if (!number[b]) number[b] = low[b] = ++counter, stack.push_back(b);
        if (next[b] < blocks_[b].successors.size()) {
          const uint32_t s = blocks_[b].successors[next[b]++];
          if (part[s] != parts) continue;
          if (!number[s])
            path.push_back(s);
          else
            low[b] = std::min(low[b], number[s]);
          continue;
        }
        path.pop_back();
        if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[b]);
        if (low[b] != number[b]) continue;
        Loop loop;
        do {
          loop.blocks.push_back(stack.back());
          part[stack.back()] = 0;
          stack.pop_back();
        } while (loop.blocks.back() != b);
        std::sort(loop.blocks.begin(), loop.blocks.end());
        const auto& out = blocks_[b].successors;
        if (loop.blocks.size() == 1 && !std::count(out.begin(), out.end(), b)) continue;
        // The head: a block that is entered from outside the loop; a loop of several entries has several.
        loop.head = loop.blocks[0];
        for (uint32_t member : loop.blocks)
          if (std::any_of(blocks_[member].predecessors.begin(), blocks_[member].predecessors.end(),
                          [&](uint32_t p) { return !loop.has(p); })) {
            loop.head = member;
            break;
          }
        for (uint32_t member : loop.blocks) leaves_[member] |= leaves_loop(member, loop);
        std::vector<uint32_t> inner;
        for (uint32_t member : loop.blocks)
          if (member != loop.head) inner.push_back(member);
        if (!inner.empty()) work.push_back(std::move(inner));
        loops_.push_back(std::move(loop));
      }
    }
  }
}

bool CodeGraph::leaves_loop(uint32_t block, const Loop& loop) const {
  const Block& b = blocks_[block];
  return std::any_of(b.successors.begin(), b.successors.end(),
                     [&](uint32_t s) { return !blocks_[s].fails && !loop.has(s); });
}

bool CodeGraph::checks(uint32_t block) const {
  const Block& b = blocks_[block];
  if (b.fails || b.successors.size() < 2) return false;
  return std::any_of(b.successors.begin(), b.successors.end(), [&](uint32_t s) { return blocks_[s].fails; });
}

void CodeGraph::collect_definitions() const {
  collected_ = true;
  slot_definitions_.resize(function_->frame_slots);
  at_entry_.resize(function_->frame_slots);
  for (uint32_t i = 0; i < function_->code.size(); ++i) {
    const Instruction& instruction = function_->code[i];
    program::for_each_definition(*function_, instruction, [&](Slot first, uint32_t count) {
      for (uint32_t k = 0; k < count; ++k)
        if (first + k < function_->frame_slots) slot_definitions_[first + k].push_back(i);
    });
  }
}

const std::vector<std::vector<uint32_t>>& CodeGraph::entry_definitions(Slot slot) const {
  auto& entry = at_entry_[slot];
  if (!entry.empty()) return entry;
  const uint32_t count = static_cast<uint32_t>(blocks_.size());
  entry.resize(count);
  std::vector<uint32_t> last(count, kParameter);
  for (uint32_t d : slot_definitions_[slot]) last[block_of_[d]] = d;
  if (slot < function_->parameter_slots && count > 0) entry[0].push_back(kParameter);
  std::vector<uint32_t> work;
  for (uint32_t b = count; b-- > 0;)
    if (last[b] != kParameter || !entry[b].empty()) work.push_back(b);
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    for (uint32_t s : blocks_[b].successors) {
      bool grew = false;
      auto add = [&](uint32_t d) {
        auto at = std::lower_bound(entry[s].begin(), entry[s].end(), d);
        if (at == entry[s].end() || *at != d) entry[s].insert(at, d), grew = true;
      };
      if (last[b] != kParameter)
        add(last[b]);
      else
        for (size_t k = 0; k < entry[b].size(); ++k) add(entry[b][k]);
      if (grew && last[s] == kParameter) work.push_back(s);
    }
  }
  return entry;
}

std::vector<uint32_t> CodeGraph::definitions(uint32_t index, Slot slot) const {
  if (!collected_) collect_definitions();
  if (slot >= function_->frame_slots) return {};
  const auto& all = slot_definitions_[slot];
  const bool parameter = slot < function_->parameter_slots;
  if (all.empty()) return parameter ? std::vector<uint32_t>{kParameter} : std::vector<uint32_t>{};
  if (all.size() == 1 && !parameter) return all;
  const Block& block = blocks_[block_of_[index]];
  auto at = std::lower_bound(all.begin(), all.end(), index);
  if (at != all.begin() && *(at - 1) >= block.begin) return {*(at - 1)};
  return entry_definitions(slot)[block_of_[index]];
}

}  // namespace heddle::analysis
