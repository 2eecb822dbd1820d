#include "server/edit/must_locksets.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace heddle::edit {

using analysis::InteractionKind;

namespace {

constexpr unsigned kCallersDepth = 3;

void intersect(std::set<ObjectId>& into, const std::set<ObjectId>& with) {
  std::erase_if(into, [&](ObjectId lock) { return with.count(lock) == 0; });
}

}  // namespace

MustLocksets::MustLocksets(const Facts& facts)
    : facts_(facts),
      releases_(facts.program->function_count()),
      takes_(facts.program->function_count()),
      keeps_(facts.program->function_count()),
      keeps_all_(facts.program->function_count(), false) {
  find_releases();
  find_keeps();
  for (const analysis::Role& role : facts.roles) meet_entry(role.entry, {});
  while (!work_.empty()) {
    const FunctionId f = *work_.begin();
    work_.erase(work_.begin());
    walk(f, entries_.at(f), true);
  }
}

void MustLocksets::find_releases() {
  for (const Interaction& interaction : facts_.interactions) {
    const uint32_t f = interaction.at.function.value;
    if (interaction.kind == InteractionKind::Unlock)
      releases_[f].insert(interaction.objects.begin(), interaction.objects.end());
    if (interaction.kind == InteractionKind::Lock || interaction.kind == InteractionKind::ReadLock)
      takes_[f].insert(interaction.objects.begin(), interaction.objects.end());
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [call, callees] : facts_.callees) {
      for (std::vector<Locks>* sets : {&releases_, &takes_}) {
        Locks& own = (*sets)[call.function.value];
        const size_t before = own.size();
        for (const FunctionId callee : callees) {
          const Locks theirs = (*sets)[callee.value];
          own.insert(theirs.begin(), theirs.end());
        }
        grew = grew || own.size() != before;
      }
    }
  }
}

void MustLocksets::find_keeps() {
  std::vector<FunctionId> ours;
  for (uint32_t n = 0; n < facts_.program->function_count(); ++n) {
    const FunctionId f{n};
    if (takes_[n].empty()) continue;
    if (facts_.program->function(f).in_project) {
      keeps_all_[n] = true;
      ours.push_back(f);
    } else if (releases_[n].empty()) {
      keeps_[n] = takes_[n];
    }
  }
  // From nothing upwards: what a callee keeps its caller may keep, too.
  for (bool grew = true; grew;) {
    grew = false;
    for (const FunctionId f : ours) {
      Locks kept = walk(f, {}, false);
      if (kept == keeps_[f.value]) continue;
      keeps_[f.value] = std::move(kept);
      grew = true;
    }
  }
}

// Where an address comes from, within its function: a variable, or a slot that holds a parameter or a result; plus
// bytes.
struct MustLocksets::Origin {
  ObjectId variable;
  Slot slot = 0;
  int64_t offset = 0;
};

MustLocksets::Origin MustLocksets::origin(FunctionId f, uint32_t index, Slot slot) const {
  const program::Function& function = facts_.program->function(f);
  Origin out{ObjectId{}, slot, 0};
  while (index-- > 0) {
    const program::Instruction& i = function.code[index];
    if (program::opcode_info(i.op).dst != program::OperandRole::kDef || i.dst != out.slot) continue;
    if (i.op == Opcode::Move || i.op == Opcode::PointerAdd) {
      out.slot = i.a;
      out.offset += i.op == Opcode::PointerAdd ? i.imm : 0;
      continue;
    }
    if (i.op != Opcode::SymbolAddress) break;
    const program::Binding binding = facts_.program->binding(f, program::SymbolId(i.a));
    if (binding.kind == program::BindingKind::Global) {
      out.variable = facts_.object_of(program::GlobalId(binding.id));
      out.offset += i.imm;
    }
    break;
  }
  return out;
}

// Where the n-th slot of the parameters comes from in a call.
std::optional<Slot> MustLocksets::argument_slot(CodeAddress call, uint32_t parameter) const {
  const program::Function& caller = facts_.program->function(call.function);
  uint32_t n = 0;
  for (const program::Argument& argument : caller.calls[static_cast<size_t>(caller.code[call.index].imm)].arguments) {
    if (n <= parameter && parameter < n + argument.slots) return argument.slot + parameter - n;
    n += argument.slots;
  }
  return std::nullopt;
}

// What the address may lie in. Of a slot that is what the function reads and writes through it, or what its callers
// give.
std::set<ObjectId> MustLocksets::wholes(FunctionId f, const Origin& address, unsigned depth) const {
  if (address.variable.valid()) return {address.variable};
  std::set<ObjectId> out;
  const program::Function& function = facts_.program->function(f);
  for (uint32_t n = 0; n < function.code.size(); ++n) {
    const Opcode op = function.code[n].op;
    if (op != Opcode::Load && op != Opcode::Store) continue;
    const Origin through = origin(f, n, function.code[n].a);
    if (through.variable.valid() || through.slot != address.slot) continue;
    for (const ObjectId object : facts_.pointees({f, n})) {
      const ObjectId whole = facts_.objects[object.value].whole;
      out.insert(whole.valid() ? whole : object);
    }
  }
  if (!out.empty() || depth == 0 || address.slot >= function.parameter_slots) return out;
  for (const CodeAddress& call : facts_.callers_of[f.value]) {
    const auto slot = argument_slot(call, address.slot);
    if (!slot) return {};
    out.merge(wholes(call.function, origin(call.function, call.index, *slot), depth - 1));
  }
  return out;
}

// Of several locks that a library's function takes for its callers, the one that this caller names.
std::vector<ObjectId> MustLocksets::kept_by(CodeAddress call, FunctionId callee) const {
  const Locks& kept = keeps_[callee.value];
  if (keeps_all_[callee.value] || kept.size() <= 1) return {kept.begin(), kept.end()};
  const program::Function& function = facts_.program->function(call.function);
  const program::CallSite& site = function.calls[static_cast<size_t>(function.code[call.index].imm)];
  for (const program::Argument& argument : site.arguments) {
    const Origin from = origin(call.function, call.index, argument.slot);
    std::vector<ObjectId> named;
    for (const ObjectId whole : wholes(call.function, from, kCallersDepth)) {
      const ObjectId part = facts_.sub_object_at(whole, static_cast<uint64_t>(from.offset));
      if (kept.count(part)) named.push_back(part);
    }
    if (named.size() == 1) return named;
  }
  return {};
}

bool MustLocksets::meet_entry(FunctionId f, const Locks& held) {
  const auto [entry, fresh] = entries_.try_emplace(f, held);
  const size_t before = entry->second.size();
  intersect(entry->second, held);
  const bool changed = fresh || entry->second.size() != before;
  if (changed) work_.insert(f);
  return changed;
}

void MustLocksets::step(CodeAddress at, Locks& held) const {
  const Interaction* interaction = facts_.interaction(at);
  if (interaction && (interaction->kind == InteractionKind::Lock || interaction->kind == InteractionKind::ReadLock)) {
    if (interaction->objects.size() == 1) held.insert(interaction->objects[0]);
  } else if (interaction && interaction->kind == InteractionKind::Unlock) {
    for (const ObjectId lock : interaction->objects) held.erase(lock);
  }
  const auto callees = facts_.callees.find(at);
  if (callees == facts_.callees.end()) return;
  for (const FunctionId f : callees->second) {
    for (const ObjectId lock : releases_[f.value]) held.erase(lock);
  }
  // Which of several functions is called is not known: what all of them keep.
  std::optional<Locks> kept;
  for (const FunctionId f : callees->second) {
    const std::vector<ObjectId> theirs = kept_by(at, f);
    const Locks set(theirs.begin(), theirs.end());
    if (kept)
      intersect(*kept, set);
    else
      kept = set;
  }
  if (kept) held.insert(kept->begin(), kept->end());
}

MustLocksets::Locks MustLocksets::walk(FunctionId f, const Locks& entry, bool remember) {
  const CodeGraph graph = analysis::make_graph(*facts_.program, f);
  const auto& blocks = graph.blocks();
  if (blocks.empty()) return {};
  const program::Function& function = facts_.program->function(f);
  std::map<uint32_t, Locks> at_return;  // by block; the last walk of a block has the least
  std::vector<std::optional<Locks>> at_entry(blocks.size());
  at_entry[0] = entry;
  std::vector<uint32_t> work{0};
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    Locks held = *at_entry[b];
    for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
      const CodeAddress at{f, i};
      if (remember && facts_.interaction(at)) held_[at] = held;  // the last walk of a block has the least
      if (const auto callees = facts_.callees.find(at); remember && callees != facts_.callees.end()) {
        for (const FunctionId callee : callees->second) meet_entry(callee, held);
      }
      step(at, held);
      if (function.code[i].op == program::Opcode::Return) at_return[b] = held;
    }
    for (const uint32_t s : blocks[b].successors) {
      if (!at_entry[s]) {
        at_entry[s] = held;
        work.push_back(s);
        continue;
      }
      const size_t before = at_entry[s]->size();
      intersect(*at_entry[s], held);
      if (at_entry[s]->size() != before) work.push_back(s);
    }
  }
  std::optional<Locks> everywhere;
  for (const auto& [block, held] : at_return) {
    if (everywhere)
      intersect(*everywhere, held);
    else
      everywhere = held;
  }
  return everywhere.value_or(Locks{});
}

std::vector<ObjectId> MustLocksets::at(CodeAddress interaction) const {
  const auto found = held_.find(interaction);
  if (found == held_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

}  // namespace heddle::edit
