#include "server/detect/locks.h"

namespace heddle::detect {

using machine::OperationKind;

bool takes_lock(OperationKind kind) {
  switch (kind) {
    case OperationKind::Lock:
    case OperationKind::TryLock:
    case OperationKind::TimedLock:
    case OperationKind::ReadLock:
    case OperationKind::TryReadLock:
    case OperationKind::TimedReadLock:
    case OperationKind::WriteLock:
    case OperationKind::TryWriteLock:
    case OperationKind::TimedWriteLock: return true;
    default: return false;
  }
}

bool waits_for_lock(OperationKind kind) {
  return kind == OperationKind::Lock || kind == OperationKind::ReadLock || kind == OperationKind::WriteLock;
}

}  // namespace heddle::detect
