#include "server/explore/access_pairs.h"

namespace heddle::explore {

using machine::Operation;
using machine::OperationFamily;
using machine::OperationKind;

namespace {

bool reads(OperationKind kind) { return kind == OperationKind::Read || kind == OperationKind::AtomicRead; }

bool accesses(OperationKind kind) { return machine::family_of(kind) == OperationFamily::Memory; }

}  // namespace

bool waits_or_signals(const Operation& operation) {
  switch (machine::family_of(operation.kind)) {
    case OperationFamily::Condition:
    case OperationFamily::Futex:
    case OperationFamily::Semaphore:
    case OperationFamily::Barrier:
    case OperationFamily::Cancellation: return true;
    default: return operation.kind == OperationKind::ThreadExit || operation.kind == OperationKind::ProcessExit;
  }
}

PairRank rank_of(const Operation& earlier, const Operation& later, bool nested, bool signals) {
  if (signals || waits_or_signals(earlier) || waits_or_signals(later)) return PairRank::WaitAndSignal;
  if (accesses(earlier.kind) && accesses(later.kind))
    return reads(earlier.kind) || reads(later.kind) ? PairRank::ReadAndWrite : PairRank::Writes;
  if (machine::is_of_lock(earlier.kind) && machine::is_of_lock(later.kind))
    return nested ? PairRank::NestedLocks : PairRank::Locks;
  return PairRank::Rest;
}

}  // namespace heddle::explore
