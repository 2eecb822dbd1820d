#include "server/machine/spin/counted_rounds.h"

#include <cstdlib>
#include <vector>

#include "server/program/operands.h"

namespace heddle::machine {
namespace {

using program::Function;
using program::Instruction;
using program::Opcode;
using program::Slot;

constexpr uint32_t kFramesMost = 4;    // the loop may call what looks
constexpr uint32_t kCodeMost = 2'000;  // instructions; longer functions are not looked at

template <typename Visit>
void for_each_next(const Function& f, uint32_t at, const Visit& visit) {
  program::for_each_target(f, f.code[at], visit);
  if (!program::is_terminator(f.code[at].op)) visit(at + 1);
}

bool uses(const Function& f, const Instruction& i, Slot slot) {
  bool found = false;
  program::for_each_use(f, i, [&](Slot first, uint32_t count) { found |= slot >= first && slot < first + count; });
  return found;
}
bool defines(const Function& f, const Instruction& i, Slot slot) {
  bool found = false;
  program::for_each_definition(f, i,
                               [&](Slot first, uint32_t count) { found |= slot >= first && slot < first + count; });
  return found;
}

constexpr Slot kNoCounter = ~Slot{0};

// The instructions of the loops around one; with a counter, only of those within which it does not begin anew.
class Loop {
 public:
  Loop(const Function& f, uint32_t inside, Slot counter) : f_(f), member_(f.code.size()) {
    std::vector<bool> before(f.code.size());  // from where it can be reached
    std::vector<std::vector<uint32_t>> from(f.code.size());
    for (uint32_t at = 0; at < f.code.size(); ++at)
      for_each_next(f, at, [&](uint32_t to) {
        if (to < f.code.size() && !(f.code[to].op == Opcode::Const && f.code[to].dst == counter))
          from[to].push_back(at);
      });
    std::vector<uint32_t> work = {inside};
    while (!work.empty()) {
      const uint32_t at = work.back();
      work.pop_back();
      for (const uint32_t earlier : from[at])
        if (!before[earlier]) before[earlier] = true, work.push_back(earlier);
    }
    work = {inside};
    while (!work.empty()) {
      const uint32_t at = work.back();
      work.pop_back();
      for_each_next(f, at, [&](uint32_t to) {
        if (to < f.code.size() && before[to] && !member_[to]) member_[to] = true, work.push_back(to);
      });
    }
  }
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (uint32_t at = 0; at < member_.size(); ++at)
      if (member_[at]) visit(f_.code[at]);
  }
  // Is the slot used after the loop, but for comparisons with the bound?
  bool used_after(Slot slot, int64_t bound) const {
    std::vector<bool> seen(member_.size());
    std::vector<uint32_t> work;
    const auto add = [&](uint32_t to) {
      if (to < member_.size() && !member_[to] && !seen[to]) seen[to] = true, work.push_back(to);
    };
    for (uint32_t at = 0; at < member_.size(); ++at)
      if (member_[at]) for_each_next(f_, at, add);
    while (!work.empty()) {
      const Instruction& i = f_.code[work.back()];
      const uint32_t at = work.back();
      work.pop_back();
      if (uses(f_, i, slot) && !(compares_with_constant(i) && i.imm == bound)) return true;
      if (!defines(f_, i, slot)) for_each_next(f_, at, add);
    }
    return false;
  }

 private:
  const Function& f_;
  std::vector<bool> member_;
};

int64_t as_signed(uint64_t bits, uint32_t width) { return static_cast<int64_t>(bits << (64 - width)) >> (64 - width); }

// Of a loop that adds a constant to `counter`, with the sum in `next`.
bool count_decides(const Function& f, uint32_t at, Slot counter, Slot next, const uint64_t* slots) {
  const Loop loop(f, at, counter);
  bool decides = false;
  loop.for_each([&](const Instruction& compare) {
    if (decides || !compares_with_constant(compare) || (compare.a != counter && compare.a != next)) return;
    const int64_t left =
        as_signed(static_cast<uint64_t>(compare.imm), compare.width) - as_signed(slots[counter], compare.width);
    if (std::abs(left) > kRoundsUnrolled) return;
    decides = loop.used_after(counter, compare.imm) || (next != counter && loop.used_after(next, compare.imm));
  });
  return decides;
}

bool rounds_decide_in(const Function& f, uint32_t at, const uint64_t* slots) {
  const Loop all(f, at, kNoCounter);
  bool decides = false;
  all.for_each([&](const Instruction& step) {
    if (decides || step.op != Opcode::AddI) return;
    bool counts = step.dst == step.a;
    all.for_each([&](const Instruction& i) { counts |= i.op == Opcode::Move && i.a == step.dst && i.dst == step.a; });
    decides = counts && count_decides(f, at, step.a, step.dst, slots);
  });
  return decides;
}

}  // namespace

bool compares_with_constant(const program::Instruction& i) {
  switch (i.op) {
    case Opcode::CmpEqI:
    case Opcode::CmpNeI:
    case Opcode::CmpULtI:
    case Opcode::CmpULeI:
    case Opcode::CmpUGtI:
    case Opcode::CmpUGeI:
    case Opcode::CmpSLtI:
    case Opcode::CmpSLeI:
    case Opcode::CmpSGtI:
    case Opcode::CmpSGeI: return true;
    default: return false;
  }
}

bool rounds_decide(Machine::State& state, const Thread& t) {
  uint32_t pc = t.pc, fp = t.fp;
  for (uint32_t n = 0; n < kFramesMost; ++n) {
    if (pc <= kBuiltinReturnCode || static_cast<uint32_t>(t.stack[fp - 2]) == kNoFunction) return false;
    const CodeAddress at = state.image_->address(pc);
    const Function& f = state.image_->program->function(at.function);
    if (f.code.size() <= kCodeMost && rounds_decide_in(f, at.index, t.stack + fp)) return true;
    const uint64_t link = t.stack[fp - 1];
    if (static_cast<uint32_t>(link) == 0) return false;
    pc = static_cast<uint32_t>(link) - 1;
    fp = static_cast<uint32_t>(link >> 32);
  }
  return false;
}

}  // namespace heddle::machine
