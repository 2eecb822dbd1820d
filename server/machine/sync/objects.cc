#include "server/machine/sync/objects.h"

namespace heddle::machine {

uint32_t bytes_of(SyncKind kind) {
  switch (kind) {
    case SyncKind::Mutex: return 40;
    case SyncKind::ReadWriteLock: return 56;
    case SyncKind::Condition: return 48;
    case SyncKind::SpinLock:
    case SyncKind::Once: return 4;
    default: return 0;
  }
}

void SyncObjects::begin(SyncObject& used, SyncKind kind) {
  const uint64_t address = used.address;
  SyncObject fresh{};
  fresh.saved_mark = used.saved_mark;
  fresh.version = used.version + 1;
  fresh.kind = kind;
  fresh.address = address;
  fresh.owner = ThreadId::kNone;
  used = fresh;
  // From now on stores to these bytes are looked at.
  for (uint64_t granule = address / 8; granule <= (address + bytes_of(kind) - 1) / 8; ++granule) filter_.add(granule);
}

void SyncObjects::forget(uint32_t object) {
  for (SyncObject* const s : all()) {
    if (s->address >> 32 != object || s->kind == SyncKind::None) continue;
    undo_.touch(*s);
    s->kind = SyncKind::None;
  }
}

}  // namespace heddle::machine
