// Source variables that live in slots: where which slot shows which variable. Best effort, for display only.
#include <algorithm>
#include <set>

#include "server/frontend/lower/lower_function.h"
#include "server/program/operands.h"

namespace heddle::frontend {

std::vector<Slot> FunctionLowering::written_slots() const {
  std::vector<Slot> written;
  for (const program::Instruction& i : out_.code) {
    const program::SlotRanges ranges = program::definitions_of(out_, i);
    written.push_back(ranges.size ? ranges.items[0].first : kNoSlot);
  }
  return written;
}

void FunctionLowering::finish_locals(const std::vector<Slot>& written, const Renumbering& renumbering) {
  std::vector<Slot> value_at(out_.code.size(),
                             kNoSlot);  // which numbered value an instruction of the final code writes
  for (uint32_t old = 0; old < written.size(); ++old) {
    const bool kept = renumbering.indices[old + 1] > renumbering.indices[old];
    if (kept) value_at[renumbering.indices[old]] = written[old];
  }
  for (DebugValue& noted : debug_values_) {
    noted.index = renumbering.indices[noted.index];
    noted.block_end = renumbering.indices[noted.block_end];
    if (noted.slot && (*noted.slot >= renumbering.slots.size() || renumbering.slots[*noted.slot] == kNoSlot))
      noted.slot.reset();
  }
  std::vector<const llvm::DILocalVariable*> variables;  // in order of appearance
  for (const DebugValue& noted : debug_values_)
    if (std::find(variables.begin(), variables.end(), noted.variable) == variables.end())
      variables.push_back(noted.variable);

  for (const llvm::DILocalVariable* variable : variables) finish_local(*variable, value_at, renumbering);
  for (uint32_t at = 0; at < out_.code.size() && !results_.empty(); ++at) {
    const auto found =
        out_.code[at].op == Opcode::Call ? results_.find(static_cast<uint32_t>(out_.code[at].imm)) : results_.end();
    if (found != results_.end())
      out_.locals.push_back({found->second.first, out_.code[at].dst, at, at, found->second.second});
  }
}

// `value_at`: which numbered value an instruction of the final code writes.
void FunctionLowering::finish_local(const llvm::DILocalVariable& variable, const std::vector<Slot>& value_at,
                                    const Renumbering& renumbering) {
  const auto size = static_cast<uint32_t>(out_.code.size());
  std::set<Slot> values, places;
  uint32_t begin = size;
  for (const DebugValue& noted : debug_values_) {
    if (noted.variable != &variable || !noted.slot) continue;
    values.insert(*noted.slot);
    places.insert(renumbering.slots[*noted.slot]);
    begin = std::min(begin, noted.index);
  }
  const auto add = [&](Slot slot, uint32_t from, uint32_t to) {
    if (from < to)
      out_.locals.push_back({variable.getName().str(), slot, from, to, unit_.debug.type(variable.getType())});
  };
  const auto writes = [&](uint32_t at, Slot slot) {
    bool hit = false;
    program::for_each_definition(out_, out_.code[at],
                                 [&](Slot first, uint32_t count) { hit |= slot >= first && slot < first + count; });
    return hit;
  };
  if (places.size() == 1) {
    // All its values share one slot: it is shown wherever the slot was last written by one of them.
    const Slot slot = *places.begin();
    bool shows = true;
    uint32_t from = begin;
    for (uint32_t at = begin; at < size; ++at) {
      if (!writes(at, slot)) continue;
      const bool own = values.contains(value_at[at]);
      if (shows && !own) add(slot, from, at + 1);
      if (!shows && own) from = at + 1;
      shows = own;
    }
    if (shows) add(slot, from, size);
    return;
  }
  // Otherwise each value counts to the end of its block, or to the next one.
  for (size_t n = 0; n < debug_values_.size(); ++n) {
    const DebugValue& noted = debug_values_[n];
    if (noted.variable != &variable || !noted.slot) continue;
    uint32_t end = noted.block_end;
    for (size_t k = n + 1; k < debug_values_.size(); ++k)
      if (debug_values_[k].variable == &variable && debug_values_[k].index >= noted.index)
        end = std::min(end, debug_values_[k].index);
    const Slot slot = renumbering.slots[*noted.slot];
    for (uint32_t at = noted.index; at < end; ++at)
      if (writes(at, slot)) end = at + 1;
    add(slot, noted.index, end);
  }
}

}  // namespace heddle::frontend
