// The memory orders that a project's code names, and the same program with other orders in some places.
//
// In:      facts of one version; changes.
// Out:     the places, in the order of the program; a version with the changes, linked and analysed at first use.
// Cost:    one pass over the code; a version copies the units that it changes.
// Owns:    nothing; values.
// Threads: pure functions, callable anywhere.
// Fails:   never. An order that is not a constant at its place is left out.
// From:    C17 7.17.3; C++20 [atomics.order]. Differs: C++ calls name the order as an argument, which is the constant
//          that is changed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/analysis/analysis.h"
#include "server/engine/store/version.h"

namespace heddle::engine {

enum class OrderUse : uint8_t { Load, Store, Update, Failure, Fence };  // Failure: of a compare-exchange, its read

struct OrderPlace {
  program::CodeAddress at;  // the access, the fence, the call
  OrderUse use = OrderUse::Load;
  program::MemoryOrder order = program::MemoryOrder::SequentiallyConsistent;
  std::optional<uint32_t> constant;  // of a call: the instruction that makes the argument

  bool operator==(const OrderPlace&) const = default;
};

struct OrderChange {
  OrderPlace place;
  program::MemoryOrder to = program::MemoryOrder::SequentiallyConsistent;
};

std::vector<OrderPlace> order_places(const analysis::Facts& facts);
// The orders of this kind of operation that are weaker by one step, or stronger: acq_rel has two weaker ones.
std::vector<program::MemoryOrder> weaker(const OrderPlace& place);
// From the weakest to the strongest.
std::vector<program::MemoryOrder> orders_of(OrderUse use);
VersionPtr with_orders(Version& version, const std::vector<OrderChange>& changes);
std::string name_of(program::MemoryOrder order);  // "acq_rel"; of a fence that is relaxed: "none"
std::string name_of(OrderUse use);                // "load", "fence"

// How many memory orders a call takes, by the link name of a C++ function.
size_t order_parameters(const std::string& link_name);
// What the instruction calls, where nothing defines that; empty: it calls something else, or nothing.
std::string external_callee(const program::Program& program, program::FunctionId caller,
                            const program::Instruction& call);

}  // namespace heddle::engine
