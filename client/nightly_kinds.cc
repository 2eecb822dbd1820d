#include "client/nightly_kinds.h"

#include <algorithm>
#include <tuple>

namespace heddle::client {
namespace {

NightlyKind& entry(std::vector<NightlyKind>& kinds, const std::string& name) {
  const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const NightlyKind& k) { return k.name == name; });
  if (known != kinds.end()) return *known;
  kinds.emplace_back().name = name;
  return kinds.back();
}

bool has(const std::vector<std::string>& list, const std::string& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void order(std::vector<NightlyKind>& kinds) {
  std::stable_sort(kinds.begin(), kinds.end(), [](const NightlyKind& x, const NightlyKind& y) {
    return std::tuple(y.missed, y.edits, x.name) < std::tuple(x.missed, x.edits, y.name);
  });
}

}  // namespace

std::vector<const NightlyIncrement*> told_by(const std::vector<NightlyIncrement>& increments, const std::string& id) {
  std::vector<const NightlyIncrement*> result;
  for (const NightlyIncrement& increment : increments)
    if (has(increment.told, id)) result.push_back(&increment);
  return result;
}

std::vector<const NightlyIncrement*> may_have_brought(const std::vector<NightlyIncrement>& increments,
                                                      const std::set<std::string>& functions) {
  std::vector<const NightlyIncrement*> all, near;
  for (const NightlyIncrement& increment : increments) {
    all.push_back(&increment);
    if (std::any_of(increment.functions.begin(), increment.functions.end(),
                    [&](const std::string& f) { return functions.contains(f); }))
      near.push_back(&increment);
  }
  return near.empty() ? all : near;
}

std::vector<std::string> kinds_of(const std::vector<const NightlyIncrement*>& increments) {
  std::vector<std::string> kinds;
  for (const NightlyIncrement* increment : increments)
    for (const std::string& kind : increment->kinds)
      if (!has(kinds, kind)) kinds.push_back(kind);
  return kinds;
}

std::vector<NightlyKind> count_by_kind(const std::vector<NightlyIncrement>& increments, const NightlyTarget& target) {
  std::vector<NightlyKind> kinds;
  for (const NightlyIncrement& increment : increments)
    for (const std::string& name : increment.kinds) {
      NightlyKind& kind = entry(kinds, name);
      ++kind.edits;
      kind.inconclusive += increment.inconclusive;
      kind.fixed += increment.fixed.size();
    }
  const auto count = [&](const std::vector<NightlyFinding>& findings, uint64_t NightlyKind::* number) {
    for (const NightlyFinding& finding : findings)
      for (const std::string& name : finding.edits) ++(entry(kinds, name).*number);
  };
  count(target.agreed, &NightlyKind::agreed);
  count(target.missed, &NightlyKind::missed);
  count(target.unconfirmed, &NightlyKind::unconfirmed);
  order(kinds);
  return kinds;
}

void add_kinds(std::vector<NightlyKind>& to, const std::vector<NightlyKind>& from) {
  for (const NightlyKind& kind : from) {
    NightlyKind& sum = entry(to, kind.name);
    for (auto number : {&NightlyKind::edits, &NightlyKind::agreed, &NightlyKind::missed, &NightlyKind::unconfirmed,
                        &NightlyKind::fixed, &NightlyKind::inconclusive})
      sum.*number += kind.*number;
  }
  order(to);
}

}  // namespace heddle::client
