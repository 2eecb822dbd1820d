// Visits the strongly connected components of a graph, each after the components it leads to.
//
// In:      successors by node number.
// Out:     visit(members), once per component, successors first.
// Cost:    linear.
// Owns:    nothing beyond the call.
// Threads: pure function, callable anywhere; `visit` runs on the caller's thread.
// Fails:   never.
// From:    Tarjan 1972. Differs: an explicit stack instead of recursion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace heddle::analysis {

template <typename Visit>
void for_each_component(const std::vector<std::vector<uint32_t>>& successors, Visit visit) {
  const uint32_t count = static_cast<uint32_t>(successors.size());
  std::vector<uint32_t> number(count, 0), low(count, 0), next(count, 0), stack, path, members;
  std::vector<uint8_t> on_stack(count, 0);
  uint32_t counter = 0;
  for (uint32_t root = 0; root < count; ++root) {
    if (number[root]) continue;
    path.push_back(root);
    while (!path.empty()) {
      const uint32_t n = path.back();
      if (!number[n]) number[n] = low[n] = ++counter, stack.push_back(n), on_stack[n] = 1;
      if (next[n] < successors[n].size()) {
        const uint32_t s = successors[n][next[n]++];
        if (!number[s])
          path.push_back(s);
        else if (on_stack[s])
          low[n] = std::min(low[n], number[s]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[n]);
      if (low[n] != number[n]) continue;
      members.clear();
      do {
        members.push_back(stack.back());
        on_stack[stack.back()] = 0;
        stack.pop_back();
      } while (members.back() != n);
      visit(members);
    }
  }
}

}  // namespace heddle::analysis
