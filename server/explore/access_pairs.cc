#include "server/explore/access_pairs.h"

namespace heddle::explore {

using machine::Operation;
using machine::OperationKind;

namespace {

bool is_lock(OperationKind kind) { return kind >= OperationKind::Lock && kind <= OperationKind::ReadWriteUnlock; }

bool reads(OperationKind kind) { return kind == OperationKind::Read || kind == OperationKind::AtomicRead; }

bool accesses(OperationKind kind) { return kind <= OperationKind::AtomicUpdate; }

}  // namespace

bool waits_or_signals(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::ThreadExit:
    case OperationKind::ProcessExit:
    case OperationKind::Cancel:
    case OperationKind::TestCancel: return true;
    default: return operation.kind >= OperationKind::Wait && operation.kind <= OperationKind::BarrierLeave;
  }
}

PairRank rank_of(const Operation& earlier, const Operation& later, bool nested, bool signals) {
  if (signals || waits_or_signals(earlier) || waits_or_signals(later)) return PairRank::WaitAndSignal;
  if (accesses(earlier.kind) && accesses(later.kind))
    return reads(earlier.kind) || reads(later.kind) ? PairRank::ReadAndWrite : PairRank::Writes;
  if (is_lock(earlier.kind) && is_lock(later.kind)) return nested ? PairRank::NestedLocks : PairRank::Locks;
  return PairRank::Rest;
}

}  // namespace heddle::explore
