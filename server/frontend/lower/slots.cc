// Packing numbered values into frame slots: liveness per slot, interference per value, coalescing of moves, greedy
// colouring in order of definition (Chaitin 1982 without spilling: frames have no limit).
#include <algorithm>
#include <numeric>

#include "server/frontend/lower/lowering.h"
#include "server/program/operands.h"

namespace heddle::frontend {
namespace {

using program::Function;
using program::Instruction;
using program::Opcode;

// Beyond this many values the matrix would outgrow its use: then slots are given by a linear scan (Poletto 1999).
constexpr uint32_t kGroupsMax = 16384;

class BitSet {
 public:
  explicit BitSet(size_t bits) : words_((bits + 63) / 64) {}
  void set(size_t n) { words_[n / 64] |= uint64_t{1} << (n % 64); }
  void reset(size_t n) { words_[n / 64] &= ~(uint64_t{1} << (n % 64)); }
  bool test(size_t n) const { return words_[n / 64] >> (n % 64) & 1; }
  bool add(const BitSet& other) {
    bool changed = false;
    for (size_t n = 0; n < words_.size(); ++n) {
      const uint64_t before = words_[n];
      words_[n] |= other.words_[n];
      changed |= words_[n] != before;
    }
    return changed;
  }
  void add_without(const BitSet& other, const BitSet& removed) {
    for (size_t n = 0; n < words_.size(); ++n) words_[n] |= other.words_[n] & ~removed.words_[n];
  }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (size_t n = 0; n < words_.size(); ++n)
      for (uint64_t word = words_[n]; word; word &= word - 1)
        visit(n * 64 + static_cast<size_t>(__builtin_ctzll(word)));
  }

 private:
  std::vector<uint64_t> words_;
};

struct Block {
  uint32_t begin = 0, end = 0;
  std::vector<uint32_t> next;
};

std::vector<Block> blocks_of(const Function& f) {
  const auto size = static_cast<uint32_t>(f.code.size());
  std::vector<bool> starts(size + 1, false);
  starts[0] = true;
  for (uint32_t n = 0; n < size; ++n) {
    program::for_each_target(f, f.code[n], [&](uint32_t target) { starts[target] = true; });
    if (program::ends_block(f, f.code[n])) starts[n + 1] = true;
  }
  std::vector<Block> blocks;
  std::vector<uint32_t> block_at(size + 1, 0);
  for (uint32_t n = 0; n < size; ++n) {
    if (starts[n]) blocks.push_back({n, n, {}});
    block_at[n] = static_cast<uint32_t>(blocks.size() - 1);
    blocks.back().end = n + 1;
  }
  for (Block& block : blocks) {
    const Instruction& last = f.code[block.end - 1];
    if (!program::is_terminator(last.op) && block.end < size) block.next.push_back(block_at[block.end]);
    program::for_each_target(f, last, [&](uint32_t target) { block.next.push_back(block_at[target]); });
    std::sort(block.next.begin(), block.next.end());
    block.next.erase(std::unique(block.next.begin(), block.next.end()), block.next.end());
  }
  return blocks;
}

class Assignment {
 public:
  Assignment(Function& function, const std::vector<SlotGroup>& groups, uint32_t pinned)
      : f_(function), groups_(groups), pinned_(pinned), parents_(groups.size()) {
    for (const SlotGroup& group : groups) slot_count_ = std::max(slot_count_, group.first + group.count);
    group_of_.assign(slot_count_, 0);
    for (uint32_t g = 0; g < groups.size(); ++g)
      for (uint32_t k = 0; k < groups[g].count; ++k) group_of_[groups[g].first + k] = g;
    std::iota(parents_.begin(), parents_.end(), 0u);
  }

  std::vector<Slot> run() {
    find_liveness();
    if (groups_.size() > kGroupsMax) return scan();
    find_interference();
    coalesce();
    return colour();
  }

 private:
  void find_liveness() {
    blocks_ = blocks_of(f_);
    live_in_.assign(blocks_.size(), BitSet(slot_count_));
    live_out_ = live_in_;
    std::vector<BitSet> killed = live_in_;
    for (size_t n = 0; n < blocks_.size(); ++n) {
      for (uint32_t at = blocks_[n].end; at-- > blocks_[n].begin;) {
        for_definitions(f_.code[at], [&](Slot s) {
          killed[n].set(s);
          live_in_[n].reset(s);
        });
        for_uses(f_.code[at], [&](Slot s) { live_in_[n].set(s); });
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t n = blocks_.size(); n-- > 0;) {
        bool grown = false;
        for (const uint32_t next : blocks_[n].next) grown |= live_out_[n].add(live_in_[next]);
        if (!grown) continue;
        live_in_[n].add_without(live_out_[n], killed[n]);
        changed = true;
      }
    }
  }

  // One interval of code per group, in order of their begins; the lowest free slots each.
  std::vector<Slot> scan() {
    struct Interval {
      uint32_t begin = kNoSlot, end = 0, group = 0;
    };
    std::vector<Interval> intervals(groups_.size());
    const auto extend = [&](Slot s, uint32_t from, uint32_t to) {
      Interval& interval = intervals[group_of_[s]];
      interval.begin = std::min(interval.begin, from);
      interval.end = std::max(interval.end, to);
    };
    for (size_t n = 0; n < blocks_.size(); ++n) {
      live_in_[n].for_each([&](size_t s) { extend(static_cast<Slot>(s), blocks_[n].begin, blocks_[n].begin); });
      live_out_[n].for_each([&](size_t s) { extend(static_cast<Slot>(s), blocks_[n].end, blocks_[n].end); });
      for (uint32_t at = blocks_[n].begin; at < blocks_[n].end; ++at) {
        for_uses(f_.code[at], [&](Slot s) { extend(s, at, at + 1); });
        for_definitions(f_.code[at], [&](Slot s) { extend(s, at, at + 1); });
      }
    }
    for (uint32_t g = 0; g < groups_.size(); ++g) intervals[g].group = g;
    for (uint32_t g = 0; g < pinned_; ++g) intervals[g] = {0, kNoSlot, g};
    std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.group < b.group;
    });
    std::vector<Slot> slots(slot_count_, kNoSlot);
    std::vector<uint32_t> busy_until;  // per final slot
    for (const Interval& interval : intervals) {
      if (interval.begin == kNoSlot) continue;
      const SlotGroup& group = groups_[interval.group];
      Slot at = 0;
      for (uint32_t free = 0; free < group.count; ++at) {
        if (at == busy_until.size()) busy_until.push_back(0);
        free = busy_until[at] <= interval.begin ? free + 1 : 0;
      }
      at -= group.count;
      for (uint32_t k = 0; k < group.count; ++k) {
        slots[group.first + k] = at + k;
        busy_until[at + k] = interval.end;
      }
    }
    f_.frame_slots = static_cast<uint32_t>(busy_until.size());
    return slots;
  }

  void find_interference() {
    rows_.assign(groups_.size(), BitSet(groups_.size()));
    used_.assign(groups_.size(), false);
    for (size_t n = 0; n < blocks_.size(); ++n) {
      BitSet live = live_out_[n];
      for (uint32_t at = blocks_[n].end; at-- > blocks_[n].begin;) {
        const Instruction& i = f_.code[at];
        for_definitions(i, [&](Slot s) {
          const uint32_t defined = group_of_[s];
          used_[defined] = true;
          live.for_each([&](size_t other) {
            if (other == s || (i.op == Opcode::Move && other == i.a)) return;
            add_edge(defined, group_of_[other]);
          });
        });
        separate_results(i);
        for_definitions(i, [&](Slot s) { live.reset(s); });
        for_uses(i, [&](Slot s) {
          used_[group_of_[s]] = true;
          live.set(s);
        });
      }
    }
    // Parameters all hold values at the entry, read or not.
    for (uint32_t a = 0; a < pinned_; ++a) {
      used_[a] = true;
      for (uint32_t b = 0; b < a; ++b) add_edge(a, b);
      live_in_[0].for_each([&](size_t other) { add_edge(a, group_of_[other]); });
    }
  }

  // A result of several slots must not lie over operands that are still needed to compute the rest of it.
  void separate_results(const Instruction& i) {
    bool several = false;
    for_each_range(i, [&](uint32_t count) { several |= count > 1; });
    if (!several) return;
    for_definitions(i, [&](Slot s) { for_uses(i, [&](Slot u) { add_edge(group_of_[s], group_of_[u]); }); });
  }

  template <typename Visit>
  void for_each_range(const Instruction& i, Visit&& visit) {
    program::for_each_definition(f_, i, [&](Slot, uint32_t count) { visit(count); });
    program::for_each_use(f_, i, [&](Slot, uint32_t count) { visit(count); });
  }
  template <typename Visit>
  void for_uses(const Instruction& i, Visit&& visit) {
    program::for_each_use(f_, i, [&](Slot first, uint32_t count) {
      for (uint32_t k = 0; k < count; ++k) visit(first + k);
    });
  }
  template <typename Visit>
  void for_definitions(const Instruction& i, Visit&& visit) {
    program::for_each_definition(f_, i, [&](Slot first, uint32_t count) {
      for (uint32_t k = 0; k < count; ++k) visit(first + k);
    });
  }

  void add_edge(uint32_t a, uint32_t b) {
    if (a == b) return;
    rows_[a].set(b);
    rows_[b].set(a);
  }

  uint32_t find(uint32_t g) {
    while (parents_[g] != g) g = parents_[g] = parents_[parents_[g]];
    return g;
  }

  void coalesce() {
    for (const Instruction& i : f_.code) {
      if (i.op != Opcode::Move) continue;
      uint32_t a = find(group_of_[i.dst]), b = find(group_of_[i.a]);
      if (a == b || groups_[a].count != 1 || groups_[b].count != 1 || rows_[a].test(b)) continue;
      if (a > b) std::swap(a, b);  // the older one stays: a parameter keeps its slot
      if (b < pinned_) continue;
      parents_[b] = a;
      rows_[a].add(rows_[b]);
      rows_[b].for_each([&](size_t other) { rows_[other].set(a); });
      used_[a] = used_[a] || used_[b];
    }
  }

  std::vector<Slot> colour() {
    constexpr Slot kUnset = kNoSlot;
    std::vector<Slot> first(groups_.size(), kUnset);
    uint32_t frame = 0;
    std::vector<bool> taken;
    for (uint32_t g = 0; g < groups_.size(); ++g) {
      if (find(g) != g || !used_[g]) continue;
      const uint32_t count = groups_[g].count;
      Slot at = g < pinned_ ? groups_[g].first : 0;
      if (g >= pinned_) {
        taken.assign(frame + count, false);
        rows_[g].for_each([&](size_t other) {
          const uint32_t o = find(static_cast<uint32_t>(other));
          if (first[o] == kUnset) return;
          for (uint32_t k = 0; k < groups_[o].count; ++k) taken[first[o] + k] = true;
        });
        for (uint32_t free = 0; free < count; ++at) free = taken[at] ? 0 : free + 1;
        at -= count;
      }
      first[g] = at;
      frame = std::max(frame, at + count);
    }
    f_.frame_slots = std::max(frame, f_.parameter_slots);
    std::vector<Slot> slots(slot_count_, kNoSlot);
    for (uint32_t s = 0; s < slot_count_; ++s) {
      const uint32_t own = group_of_[s], merged = find(own);
      if (first[merged] != kUnset) slots[s] = first[merged] + (s - groups_[own].first);
    }
    return slots;
  }

  Function& f_;
  const std::vector<SlotGroup>& groups_;
  const uint32_t pinned_;
  uint32_t slot_count_ = 0;
  std::vector<uint32_t> group_of_, parents_;
  std::vector<Block> blocks_;
  std::vector<BitSet> live_in_, live_out_;  // per block
  std::vector<BitSet> rows_;
  std::vector<bool> used_;
};

void rename(Function& f, const std::vector<Slot>& slots) {
  const auto renamed = [&](uint64_t s) { return s < slots.size() && slots[s] != kNoSlot ? slots[s] : 0u; };
  for (Instruction& i : f.code) {
    const program::OpcodeInfo& info = program::opcode_info(i.op);
    using enum program::OperandRole;
    const bool no_result = program::is_call(i.op) && f.calls[static_cast<size_t>(i.imm)].result_slots == 0;
    if (info.dst == kDef || info.dst == kDefTwo) i.dst = no_result ? 0 : renamed(i.dst);
    if (info.a == kUse || info.a == kUseTwo) i.a = i.op == Opcode::Return && i.b == 0 ? 0 : renamed(i.a);
    if (info.b == kUse || info.b == kUseTwo) i.b = renamed(i.b);
    if (info.imm == kUse) i.imm = renamed(static_cast<uint64_t>(i.imm));
  }
  for (program::CallSite& call : f.calls)
    for (program::Argument& argument : call.arguments) argument.slot = argument.slots ? renamed(argument.slot) : 0;
}

// The instruction that a jump to `index` really goes to.
uint32_t follow(const Function& f, uint32_t index) {
  for (int steps = 0; steps < 16; ++steps) {
    const Instruction& i = f.code[index];
    if (i.op == Opcode::Jump && i.dst != index)
      index = i.dst;
    else if (i.op == Opcode::Move && i.dst == i.a)
      ++index;
    else
      break;
  }
  return index;
}

std::vector<uint32_t> compact(Function& f) {
  const auto size = static_cast<uint32_t>(f.code.size());
  for (Instruction& i : f.code) {
    if (i.op == Opcode::Jump || i.op == Opcode::Branch) i.dst = follow(f, i.dst);
    if (i.op == Opcode::Branch) i.b = follow(f, i.b);
  }
  for (program::CallSite& call : f.calls)
    if (call.unwind != program::kNoUnwind) call.unwind = follow(f, call.unwind);
  for (program::SwitchTable& table : f.switches) {
    table.default_target = follow(f, table.default_target);
    for (uint32_t& target : table.targets) target = follow(f, target);
  }
  std::vector<bool> keep(size, false);
  std::vector<uint32_t> work{0};
  while (!work.empty()) {
    uint32_t at = work.back();
    work.pop_back();
    for (; at < size && !keep[at]; ++at) {
      keep[at] = true;
      program::for_each_target(f, f.code[at], [&](uint32_t target) { work.push_back(target); });
      if (program::is_terminator(f.code[at].op)) break;
    }
  }
  for (uint32_t n = 0; n < size; ++n)
    if (f.code[n].op == Opcode::Move && f.code[n].dst == f.code[n].a) keep[n] = false;
  for (uint32_t n = 0; n < size; ++n) {  // a jump over nothing
    if (!keep[n] || f.code[n].op != Opcode::Jump || f.code[n].dst <= n) continue;
    uint32_t next = n + 1;
    while (next < f.code[n].dst && !keep[next]) ++next;
    if (next == f.code[n].dst) keep[n] = false;
  }
  std::vector<uint32_t> indices(size + 1);
  uint32_t kept = 0;
  for (uint32_t n = 0; n < size; ++n) {
    indices[n] = kept;
    if (!keep[n]) continue;
    f.code[kept] = f.code[n];
    f.places[kept] = f.places[n];
    ++kept;
  }
  indices[size] = kept;
  f.code.resize(kept);
  f.places.resize(kept);
  for (Instruction& i : f.code) {
    if (i.op == Opcode::Jump || i.op == Opcode::Branch) i.dst = indices[i.dst];
    if (i.op == Opcode::Branch) i.b = indices[i.b];
  }
  for (program::CallSite& call : f.calls)
    if (call.unwind != program::kNoUnwind) call.unwind = std::min(indices[call.unwind], kept - 1);
  for (program::SwitchTable& table : f.switches) {
    table.default_target = std::min(indices[table.default_target], kept - 1);
    for (uint32_t& target : table.targets) target = std::min(indices[target], kept - 1);
  }
  return indices;
}

}  // namespace

Renumbering assign_slots(program::Function& function, const std::vector<SlotGroup>& groups, uint32_t pinned) {
  Renumbering result;
  result.slots = Assignment(function, groups, pinned).run();
  rename(function, result.slots);
  result.indices = compact(function);
  return result;
}

}  // namespace heddle::frontend
