// Which operations are scheduling points if only some objects are relevant.
//
// In:      a machine; ObjectId -> relevant, or null: everything is.
// Out:     whether the order of the operation and those of other threads matters.
// Owns:    nothing.
// Threads: the thread that uses the machine.
// Fails:   never; an object that is not known is relevant.
// From:    `docs/ALGORITHM.md`, step 2: operations on other objects run at once, in any fixed order.
#pragma once

#include <vector>

#include "server/machine/machine.h"

namespace heddle::explore {

struct Relevance {
  const machine::Machine& machine;
  const std::vector<bool>* objects = nullptr;

  bool operator()(const machine::Operation& operation) const {
    using machine::OperationKind;
    if (objects == nullptr || operation.cancellable || makes_request(operation)) return true;
    switch (operation.kind) {
      // These wait for one known thread or for none: early is as good as late.
      case OperationKind::Create:
      case OperationKind::Detach:
      case OperationKind::Sleep:
      case OperationKind::Yield:
      case OperationKind::Fence:
      case OperationKind::DataChoice: return false;
      case OperationKind::Join: return operation.size != 0;  // it only tries
      case OperationKind::ThreadExit:
      case OperationKind::ProcessExit:
      case OperationKind::TakeSignal: return true;
      case OperationKind::Wait:
      case OperationKind::Wake: return object(operation.object) || object(operation.second);
      default: break;
    }
    // A wide operation may touch several fields, each an object of its own.
    for (uint32_t offset = 0; offset == 0 || offset < operation.size; offset += 4)
      if (object(machine::Pointer{operation.object.bits + offset})) return true;
    return false;
  }

 private:
  bool object(machine::Pointer address) const {
    const analysis::ObjectId known = machine.static_object(address);
    return !known.valid() || known.value >= objects->size() || (*objects)[known.value];
  }
};

}  // namespace heddle::explore
