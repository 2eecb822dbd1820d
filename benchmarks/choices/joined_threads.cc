#include "benchmarks/choices/joined_threads.h"

#include <pthread.h>

#include <algorithm>

namespace heddle::bench {

using analysis::InteractionKind;
using program::CodeAddress;
using program::Opcode;

namespace {

constexpr int64_t kHandle = sizeof(pthread_t);

}  // namespace

JoinedThreads::JoinedThreads(const analysis::Facts& facts, const analysis::CodeGraph& main)
    : facts_(facts), main_(main), id_(facts.roles[0].entry) {
  const std::vector<Creation> known = creations();
  for (const analysis::Interaction& interaction : facts.interactions_of(id_))
    if (interaction.kind == InteractionKind::Join) add_join(interaction, known);
}

program::Slot JoinedThreads::argument(uint32_t index) const {
  const program::Function& code = main_.function();
  return code.calls[static_cast<size_t>(code.code[index].imm)].arguments.at(0).slot;
}

std::vector<JoinedThreads::Creation> JoinedThreads::creations() const {
  std::vector<Creation> found;
  std::set<CodeAddress> all;
  for (const analysis::Role& role : facts_.roles) all.insert(role.created_at.begin(), role.created_at.end());
  for (const CodeAddress at : all) {
    if (at.function != id_ || !program::is_call(main_.function().code[at.index].op)) continue;
    const auto loop = only_loop_around(main_, at.index);
    if (!loop && main_.in_loop(at.index)) return {};
    const auto handles = local_range(main_, at.index, argument(at.index), kHandle, loop ? &*loop : nullptr);
    if (!handles || (loop && handles->end - handles->begin != kHandle * (loop->end - loop->first))) return {};
    found.push_back({at, *handles});
  }
  return found;
}

// Does anything but creations get at the handles?
bool JoinedThreads::is_given_away(const LocalRange& handles) const {
  const analysis::ObjectId variable = facts_.object_of(CodeAddress{id_, handles.allocation});
  for (const auto& [key, objects] : facts_.operand_pointees) {
    const bool may = std::any_of(objects.begin(), objects.end(), [&](analysis::ObjectId object) {
      return object == variable || facts_.objects[object.value].whole == variable;
    });
    if (!may) continue;
    const CodeAddress at = CodeAddress::from_bits(key / 16);
    const Opcode op = facts_.program->function(at.function).code[at.index].op;
    if (op == Opcode::Load) continue;
    const analysis::Interaction* interaction = facts_.interaction(at);
    const bool creates = interaction != nullptr && interaction->kind == InteractionKind::Create;
    if (!creates) return true;
  }
  return false;
}

void JoinedThreads::add_join(const analysis::Interaction& join, const std::vector<Creation>& creations) {
  const uint32_t index = join.at.index;
  const auto& code = main_.function().code;
  if (!program::is_call(code[index].op)) return;
  const auto loads = main_.definitions(index, argument(index));
  if (loads.size() != 1 || loads[0] == analysis::CodeGraph::kParameter || code[loads[0]].op != Opcode::Load) return;
  const auto loop = only_loop_around(main_, index);
  if (!loop && main_.in_loop(index)) return;
  if (loop && (!each_round_passes(main_, *loop, index) || !loop->loop->has(main_.block_of(loads[0])))) return;
  auto handles = local_range(main_, loads[0], code[loads[0]].a, kHandle, loop ? &*loop : nullptr);
  if (!handles) return;
  handles->begin += code[loads[0]].imm;
  handles->end += code[loads[0]].imm;
  for (const Creation& creation : creations) {
    const auto overwrites = [&](const Creation& other) {
      return other.at != creation.at && other.handles.overlaps(creation.handles);
    };
    if (!handles->holds(creation.handles) || is_given_away(creation.handles)) continue;
    if (std::any_of(creations.begin(), creations.end(), overwrites)) continue;
    Passages& passages = passages_[creation.at];
    if (loop)
      passages.ways.insert({CodeAddress{id_, loop->branch}, loop->exit});
    else
      passages.calls.insert(join.at);
  }
}

}  // namespace heddle::bench
