#include "client/nightly/nightly_kinds.h"

#include <algorithm>
#include <iterator>
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

Edits all_of(const std::vector<NightlyIncrement>& increments) {
  Edits result;
  for (const NightlyIncrement& increment : increments) result.push_back(&increment);
  return result;
}

Edits reported_by(const std::vector<NightlyIncrement>& increments, const std::string& id) {
  Edits result;
  for (const NightlyIncrement& edit : increments)
    if (std::any_of(increments.begin(), increments.end(), [&](const NightlyIncrement& reporter) {
          return has(reporter.reported, id) && edit.at_unix_ms > reporter.since_unix_ms &&
                 edit.at_unix_ms <= reporter.at_unix_ms;
        }))
      result.push_back(&edit);
  return result;
}

Edits may_have_brought(const Edits& edits, const std::set<std::string>& functions) {
  Edits near;
  std::copy_if(edits.begin(), edits.end(), std::back_inserter(near), [&](const NightlyIncrement* edit) {
    return std::any_of(edit->functions.begin(), edit->functions.end(),
                       [&](const std::string& f) { return functions.contains(f); });
  });
  return near.empty() ? edits : near;
}

std::vector<std::string> kinds_of(const Edits& edits) {
  std::vector<std::string> kinds;
  for (const NightlyIncrement* edit : edits)
    for (const std::string& kind : edit->kinds)
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
