// libatomic: atomic accesses of any size, as calls.
#include "server/machine/atomics.h"

namespace heddle::machine {
namespace {

MemoryOrder order_of(uint64_t c_order) {
  switch (c_order) {
    case 0: return MemoryOrder::Relaxed;
    case 1:
    case 2: return MemoryOrder::Acquire;
    case 3: return MemoryOrder::Release;
    case 4: return MemoryOrder::AcquireRelease;
    default: return MemoryOrder::SequentiallyConsistent;
  }
}

struct Access {
  Pointer at;
  uint32_t size = 0;
  Object* object = nullptr;
};

bool open(SyncCall& call, bool writes, Access& access) {
  access.at = {call.argument(1)};
  access.size = static_cast<uint32_t>(call.argument(0));
  access.object = atomic_object(call.state, call.thread, access.at, access.size, writes);
  return access.object != nullptr && access.size > 0;
}

void put(SyncCall& call, const Access& a, const std::vector<uint8_t>& bytes) {
  Machine::State& s = call.state;
  s.before_store(*a.object, a.at.bits, a.at.offset(), a.size);
  std::memcpy(a.object->data + a.at.offset(), bytes.data(), a.size);
  s.after_store(*a.object, a.at.bits, a.at.offset(), a.size);
  ++call.thread.stores;
}

void load(SyncCall& call) {
  Access a;
  if (!open(call, false, a)) return;
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, true, false);
  synchronise_load(call.state, call.thread, a.at, a.size, order_of(call.argument(3)));
  call.state.write(call.thread, {call.argument(2)}, a.object->data + a.at.offset(), a.size);
}

void store(SyncCall& call) {
  Access a;
  if (!open(call, true, a)) return;
  std::vector<uint8_t> value(a.size);
  if (!call.state.read(call.thread, {call.argument(2)}, value.data(), a.size)) return;
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, false, true);
  synchronise_store(call.state, call.thread, a.at, a.size, order_of(call.argument(3)), false);
  put(call, a, value);
}

void exchange(SyncCall& call) {
  Access a;
  if (!open(call, true, a)) return;
  std::vector<uint8_t> value(a.size);
  if (!call.state.read(call.thread, {call.argument(2)}, value.data(), a.size)) return;
  if (!call.state.write(call.thread, {call.argument(3)}, a.object->data + a.at.offset(), a.size)) return;
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, true, true);
  synchronise_load(call.state, call.thread, a.at, a.size, order_of(call.argument(4)));
  synchronise_store(call.state, call.thread, a.at, a.size, order_of(call.argument(4)), true);
  put(call, a, value);
}

void compare_exchange(SyncCall& call) {
  Access a;
  if (!open(call, true, a)) return;
  std::vector<uint8_t> expected(a.size), desired(a.size);
  if (!call.state.read(call.thread, {call.argument(2)}, expected.data(), a.size)) return;
  if (!call.state.read(call.thread, {call.argument(3)}, desired.data(), a.size)) return;
  const bool same = std::memcmp(expected.data(), a.object->data + a.at.offset(), a.size) == 0;
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, true, same);
  synchronise_load(call.state, call.thread, a.at, a.size, order_of(call.argument(same ? 4 : 5)));
  if (same) {
    synchronise_store(call.state, call.thread, a.at, a.size, order_of(call.argument(4)), true);
    put(call, a, desired);
  } else if (!call.state.write(call.thread, {call.argument(2)}, a.object->data + a.at.offset(), a.size)) {
    return;
  }
  call.result(same);
}

}  // namespace

std::span<const VisibleRow> atomic_rows() {
  using K = OperationKind;
  static const VisibleRow rows[] = {
      {"__atomic_load", K::AtomicRead, 1, -1, false, load},
      {"__atomic_store", K::AtomicWrite, 1, -1, false, store},
      {"__atomic_exchange", K::AtomicUpdate, 1, -1, false, exchange},
      {"__atomic_compare_exchange", K::AtomicUpdate, 1, -1, false, compare_exchange},
  };
  return rows;
}

}  // namespace heddle::machine
