#include "server/engine/target/guilty_edit.h"

#include <algorithm>

namespace heddle::engine {
namespace {

bool covers(const v1::Fragment& fragment, const v1::Place& place) {
  const uint32_t end = std::max(fragment.begin_line(), fragment.end_line());
  return fragment.file() == place.file() && fragment.begin_line() <= place.line() && place.line() <= end;
}

// 0: the finding does not run through it.
int nearness(const v1::Fragment& fragment, const v1::Finding& finding) {
  const auto in_function = [&](const v1::Place& place) {
    return !fragment.function().empty() && place.function() == fragment.function();
  };
  int most = 0;
  for (const v1::Place& place : finding.places())
    most = std::max(most, covers(fragment, place) ? 8 : in_function(place) ? 6 : 0);
  for (const v1::TraceStep& step : finding.trace()) {
    if (most >= 4) break;
    most = std::max(most, covers(fragment, step.place()) ? 4 : in_function(step.place()) ? 2 : 0);
  }
  return most == 0 ? 0 : most + (fragment.kind() == "deleted" ? 1 : 0);
}

}  // namespace

std::vector<v1::Fragment> guilty_edit(const v1::Diffed& diffed, const v1::Finding& finding) {
  std::vector<std::pair<int, const v1::Fragment*>> near;
  for (const v1::Fragment& fragment : diffed.fragments())
    if (const int how = nearness(fragment, finding); how > 0) near.emplace_back(how, &fragment);
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<v1::Fragment> guilty;
  for (size_t n = 0; n < near.size() && n < kGuiltyMost; ++n) guilty.push_back(*near[n].second);
  return guilty;
}

}  // namespace heddle::engine
