// Questions to the facts of one version.
#include <algorithm>

#include "server/analysis/analysis.h"

namespace heddle::analysis {

std::span<const ObjectId> Facts::pointees(CodeAddress at, uint32_t operand) const {
  auto found = operand_pointees.find(at.bits() * 16 + operand);
  return found == operand_pointees.end() ? std::span<const ObjectId>() : std::span<const ObjectId>(found->second);
}

const Interaction* Facts::interaction(CodeAddress at) const {
  auto found = std::lower_bound(interactions.begin(), interactions.end(), at,
                                [](const Interaction& i, CodeAddress a) { return i.at < a; });
  return found != interactions.end() && found->at == at ? &*found : nullptr;
}

std::span<const Interaction> Facts::interactions_of(FunctionId function) const {
  const auto below = [](const Interaction& i, FunctionId f) { return i.at.function < f; };
  const auto above = [](FunctionId f, const Interaction& i) { return f < i.at.function; };
  const auto first = std::lower_bound(interactions.begin(), interactions.end(), function, below);
  return {first, std::upper_bound(first, interactions.end(), function, above)};
}

ObjectId Facts::object_of(GlobalId global) const {
  return global.value < global_objects.size() ? global_objects[global.value] : ObjectId::none();
}

ObjectId Facts::object_of(CodeAddress site) const {
  auto found = site_objects.find(site);
  return found == site_objects.end() ? ObjectId::none() : found->second;
}

ObjectId Facts::sub_object_at(ObjectId whole, uint64_t offset) const {
  if (whole.value >= sub_objects.size() || sub_objects[whole.value].empty()) return whole;
  const int64_t folded = fold(shapes[whole.value], static_cast<int64_t>(offset));
  if (folded == kUnknownOffset) return whole;
  const std::vector<SubObject>& list = sub_objects[whole.value];
  auto after = std::upper_bound(list.begin(), list.end(), static_cast<uint64_t>(folded),
                                [](uint64_t at, const SubObject& part) { return at < part.begin; });
  return after != list.begin() && static_cast<uint64_t>(folded) < (after - 1)->end ? (after - 1)->object : whole;
}

bool Facts::may_touch_shared(CodeAddress at) const {
  bool known = false;
  for (uint32_t operand : {0u, 1u})
    if (auto found = operand_pointees.find(at.bits() * 16 + operand); found != operand_pointees.end()) {
      known = !found->second.empty() || known;
      for (ObjectId o : found->second)
        if (objects[o.value].shared) return true;
    }
  return !known;  // an address without a points-to set may be any
}

}  // namespace heddle::analysis
