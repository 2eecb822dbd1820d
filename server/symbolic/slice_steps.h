// The operations of a slice in an order in which operands come before what uses them.
//
// In:      a pool, the conditions of a slice.
// Out:     a step for each expression; the places of conditions and of inputs among the steps.
// Cost:    near linear in the expressions below the slice.
// Owns:    the steps; refers to the pool's nodes.
// Threads: any, as long as none adds to the pool.
// Fails:   never.
#pragma once

#include <algorithm>
#include <vector>

#include "server/symbolic/solver.h"

namespace heddle::symbolic {

struct SliceSteps {
  struct Step {
    const Node* node;
    size_t operands[3];  // places of earlier steps
    unsigned width, low_width;
  };

  SliceSteps(const Pool& pool, const Slice& slice) : order(pool.below(slice)) {
    for (const Expression condition : slice) conditions.push_back(place_of(condition));
    for (size_t n = 0; n < order.size(); ++n) {
      const Node& node = pool.at(order[n]);
      Step step{&node, {}, pool.at(node.operands[0]).width, pool.at(node.operands[1]).width};
      for (size_t i = 0; i < operands_of(node.operation); ++i) step.operands[i] = place_of(node.operands[i]);
      steps.push_back(step);
      if (node.operation == Operation::Input) inputs.push_back(n);
    }
    std::sort(inputs.begin(), inputs.end(),
              [&](size_t a, size_t b) { return steps[a].node->value < steps[b].node->value; });
  }

  // REQUIRES that it is below the slice.
  size_t place_of(Expression expression) const {
    return static_cast<size_t>(std::lower_bound(order.begin(), order.end(), expression) - order.begin());
  }

  std::vector<Expression> order;  // ascending
  std::vector<Step> steps;
  std::vector<size_t> conditions, inputs;  // places; inputs by their numbers
};

}  // namespace heddle::symbolic
