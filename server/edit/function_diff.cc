#include "server/edit/function_diff.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "server/edit/align.h"
#include "server/edit/hazards.h"
#include "server/edit/slices.h"
#include "server/edit/unwritten_reads.h"

namespace heddle::edit {
namespace {

struct Side {
  const Facts& facts;
  const FunctionView& view;
  const std::vector<uint64_t>& stack;
  bool old;
  std::vector<uint32_t> effects;
  std::vector<Keys> keys;
  Slices slices;
};

// What uses the value, two steps on: distinguishes two reads of one variable that serve different purposes.
uint64_t purpose(const Side& side, uint32_t index, int depth) {
  std::vector<uint64_t> parts;
  for (uint32_t user : side.view.users(index)) {
    uint64_t part = shape_of(side.facts, side.view, user, side.stack);
    if (depth > 0 && !side.view.effect(user)) part = mix(part, purpose(side, user, depth - 1));
    parts.push_back(part);
  }
  std::sort(parts.begin(), parts.end());
  uint64_t hash = 51;
  for (uint64_t part : parts) hash = mix(hash, part);
  return hash;
}

// What stays of a statement when its operands change: its kind and what it touches or calls.
uint64_t weak_key(const Versions& versions, const Side& side, uint32_t index) {
  const Instruction& i = side.view.code().code[index];
  if (program::is_call(i.op)) {
    if (const Interaction* interaction = side.view.interaction(index))
      return mix(63, static_cast<uint64_t>(interaction->kind));
    return i.op == Opcode::Call ? mix(64, shape_of(side.facts, side.view, index, side.stack)) : 65;
  }
  const Opcode op = i.op == Opcode::AtomicLoad ? Opcode::Load : i.op == Opcode::AtomicStore ? Opcode::Store : i.op;
  uint64_t hash = mix(static_cast<uint64_t>(op), 61);
  std::vector<uint64_t> labels;
  auto add = [&](const std::vector<ObjectId>& objects) {
    for (ObjectId o : objects) labels.push_back(side.old ? versions.label_before(o) : versions.label_after(o));
  };
  add(side.view.memory(index).reads);
  add(side.view.memory(index).writes);
  std::sort(labels.begin(), labels.end());
  for (uint64_t label : labels) hash = mix(hash, label);
  return hash;
}

void prepare(const Versions& versions, Side& side) {
  const uint32_t size = static_cast<uint32_t>(side.view.code().code.size());
  side.slices = make_slices(side.facts, side.view, {}, side.stack);
  for (uint32_t i = 0; i < size; ++i) {
    if (!side.view.reachable(i) || !side.view.effect(i)) continue;
    side.effects.push_back(i);
    side.keys.push_back(
        {mix(side.slices.signature[i], purpose(side, i, 2)), side.slices.signature[i], weak_key(versions, side, i)});
  }
}

// Hash -> how many of the accesses and divisions that may fail come after the instruction.
std::unordered_map<uint64_t, int> hazards_after(const Side& side, const Slices& slices, uint32_t index) {
  std::unordered_map<uint64_t, int> found;
  for (uint32_t i : what_follows(side.view, index))
    if (slices.hazard[i] && side.view.hazard(i) != Hazard::Loop) ++found[slices.hazard[i]];
  return found;
}

// Hazards and matched calls in the order of the code.
std::vector<uint64_t> hazards_and_calls(const Side& side, const Slices& slices,
                                        const std::unordered_map<uint32_t, uint64_t>& calls) {
  std::vector<uint64_t> order;
  for (uint32_t i = 0; i < slices.hazard.size(); ++i) {
    if (const auto call = calls.find(i); call != calls.end()) order.push_back(call->second);
    if (slices.hazard[i] && side.view.hazard(i) != Hazard::Loop) order.push_back(slices.hazard[i]);
  }
  return order;
}

// A call may end what a later access needs: it frees a block, closes a file. An access that comes after a call now, and
// did not before, may fail.
void compare_order_of_hazards(const Side& old_side, const Slices& old_slices, const Side& new_side,
                              const Slices& new_slices, const std::vector<Match>& matches, FunctionDiff& result) {
  std::unordered_map<uint32_t, uint64_t> old_calls, new_calls;
  for (size_t k = 0; k < matches.size(); ++k) {
    const uint32_t before = old_side.effects[matches[k].before], after = new_side.effects[matches[k].after];
    if (!program::is_call(new_side.view.code().code[after].op)) continue;
    old_calls[before] = new_calls[after] = k + 1;
  }
  if (hazards_and_calls(old_side, old_slices, old_calls) == hazards_and_calls(new_side, new_slices, new_calls)) return;
  std::set<uint32_t> found(result.hazards.begin(), result.hazards.end());
  for (const Match& match : matches) {
    const uint32_t before = old_side.effects[match.before], after = new_side.effects[match.after];
    if (!new_calls.contains(after)) continue;
    std::unordered_map<uint64_t, int> left = hazards_after(old_side, old_slices, before);
    for (uint32_t i : what_follows(new_side.view, after))
      if (new_slices.hazard[i] && new_side.view.hazard(i) != Hazard::Loop && --left[new_slices.hazard[i]] < 0)
        found.insert(i);
  }
  result.hazards.assign(found.begin(), found.end());
}

// What may fail or never end has no order among its like: the same ones, as often, are no change.
void compare_hazards(const Side& old_side, const Slices& old_slices, const Side& new_side, const Slices& new_slices,
                     const std::vector<Match>& matches, FunctionDiff& result) {
  std::unordered_map<uint64_t, int> left;
  for (uint64_t hash : old_slices.hazard)
    if (hash) ++left[hash];
  for (uint32_t i = 0; i < new_slices.hazard.size(); ++i)
    if (new_slices.hazard[i] && --left[new_slices.hazard[i]] < 0) result.hazards.push_back(i);
  std::set<uint32_t> resumed;
  for (uint32_t i = 0; i < old_slices.hazard.size(); ++i) {
    if (!old_slices.hazard[i] || old_side.view.hazard(i) != Hazard::Loop || --left[old_slices.hazard[i]] < 0) continue;
    const std::vector<uint32_t> after = what_follows(old_side.view, i);
    for (const Match& match : matches)
      if (std::binary_search(after.begin(), after.end(), old_side.effects[match.before]))
        resumed.insert(new_side.effects[match.after]);
  }
  result.resumed.assign(resumed.begin(), resumed.end());
}

// Reads that may come before any write now: by what they read and from where it may come.
void compare_unwritten_reads(const Side& old_side, const Slices& old_slices, const Side& new_side,
                             const Slices& new_slices, FunctionDiff& result) {
  const std::vector<uint32_t> now = unwritten_reads(new_side.facts, new_side.view);
  if (now.empty()) return;
  std::unordered_map<uint64_t, int> left;
  for (const uint32_t i : unwritten_reads(old_side.facts, old_side.view)) ++left[old_slices.value[i]];
  for (const uint32_t i : now)
    if (--left[new_slices.value[i]] < 0) result.hazards.push_back(i);
}

// Which changed statements were edited themselves.
void report_own(const Side& old_side, const Side& new_side, std::vector<FunctionDiff::Changed>& all) {
  if (all.empty()) return;
  const Slices then = make_own_slices(old_side.facts, old_side.view, old_side.stack);
  const Slices now = make_own_slices(new_side.facts, new_side.view, new_side.stack);
  for (FunctionDiff::Changed& changed : all) {
    changed.own_condition = then.control[changed.before] != now.control[changed.after];
    changed.own_value = then.value[changed.before] != now.value[changed.after];
  }
}

}  // namespace

FunctionDiff diff(const Versions& versions, const FunctionView& before, const FunctionView& after) {
  const Versions::Stack stack = versions.match_stack(before.id(), after.id());
  Side old_side{versions.before(), before, stack.before, true, {}, {}, {}};
  Side new_side{versions.after(), after, stack.after, false, {}, {}, {}};
  prepare(versions, old_side);
  prepare(versions, new_side);
  const std::vector<Match> matches = align(old_side.keys, new_side.keys);

  // The same reads and calls get the same identity, and then slices that hold them are compared for good.
  std::vector<uint64_t> old_identity(before.code().code.size()), new_identity(after.code().code.size());
  for (size_t k = 0; k < old_identity.size(); ++k) old_identity[k] = 0x100000000ull + k;
  for (size_t k = 0; k < new_identity.size(); ++k) new_identity[k] = 0x200000000ull + k;
  for (size_t k = 0; k < matches.size(); ++k) {
    old_identity[old_side.effects[matches[k].before]] = k + 1;
    new_identity[new_side.effects[matches[k].after]] = k + 1;
  }
  const Slices old_slices = make_slices(versions.before(), before, old_identity, stack.before);
  const Slices new_slices = make_slices(versions.after(), after, new_identity, stack.after);

  Pairs unchanged;
  for (const Match& match : matches) {
    const uint32_t a = old_side.effects[match.before], b = new_side.effects[match.after];
    if (old_slices.signature[a] == new_slices.signature[b]) unchanged.emplace_back(a, b);
  }
  std::set<uint32_t> moved;  // of the new version
  for (const size_t k : in_other_loops(before, after, unchanged)) moved.insert(unchanged[k].second);

  FunctionDiff result;
  result.outlived = after_ends_of_lives(versions.after(), before, after, stack, unchanged);
  compare_hazards(old_side, old_slices, new_side, new_slices, matches, result);
  compare_order_of_hazards(old_side, old_slices, new_side, new_slices, matches, result);
  compare_unwritten_reads(old_side, old_slices, new_side, new_slices, result);
  size_t next = 0;
  uint32_t last_new = 0, previous = FunctionDiff::kNone;
  for (uint32_t o = 0; o < old_side.effects.size(); ++o) {
    if (next < matches.size() && matches[next].before == o) {
      const uint32_t a = old_side.effects[o], b = new_side.effects[matches[next].after];
      if (old_slices.signature[a] != new_slices.signature[b] || moved.contains(b)) {
        FunctionDiff::Changed changed{a, b, moved.contains(b) || old_slices.control[a] != new_slices.control[b], {}};
        const auto& old_operands = old_slices.operands[a];
        for (uint32_t k = 0; k < new_slices.operands[b].size(); ++k)
          if (k >= old_operands.size() || old_operands[k] != new_slices.operands[b][k]) changed.operands.push_back(k);
        result.changed.push_back(std::move(changed));
      }
      for (; last_new < matches[next].after; ++last_new) result.inserted.push_back(new_side.effects[last_new]);
      ++last_new;
      previous = b;
      ++next;
      continue;
    }
    const uint32_t following = next < matches.size() ? new_side.effects[matches[next].after] : FunctionDiff::kNone;
    result.deleted.push_back({old_side.effects[o], previous, following});
  }
  for (; last_new < new_side.effects.size(); ++last_new) result.inserted.push_back(new_side.effects[last_new]);
  if (after.code().in_project) report_own(old_side, new_side, result.changed);
  return result;
}

}  // namespace heddle::edit
