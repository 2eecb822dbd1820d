// libatomic: atomic accesses as calls. The generic ones take size and addresses, the sized ones values.
#include <array>
#include <string>

#include "server/machine/atomics.h"
#include "server/machine/code/registry.h"
#include "server/machine/library/builtin.h"

namespace heddle::machine {
namespace {

using K = OperationKind;
using Wide = unsigned __int128;

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
  const uint8_t* bytes() const { return object->data + at.offset(); }
};

bool open(SyncCall& call, bool writes, Access& access) {
  const bool sized = call.row.size != 0;
  access.at = {call.argument(sized ? 0 : 1)};
  access.size = sized ? call.row.size : static_cast<uint32_t>(call.argument(0));
  access.object = atomic_object(call.state, call.thread, access.at, access.size, writes);
  return access.object != nullptr && access.size > 0;
}

void put(SyncCall& call, const Access& a, const void* bytes) {
  Machine::State& s = call.state;
  call.failed = std::memcmp(a.bytes(), bytes, a.size) == 0;  // writing what is there changes nothing
  s.before_store(*a.object, a.at.bits, a.at.offset(), a.size);
  std::memcpy(a.object->data + a.at.offset(), bytes, a.size);
  s.after_store(*a.object, a.at.bits, a.at.offset(), a.size);
  if (!call.failed) ++call.thread.stores;
}

void order_load(SyncCall& call, const Access& a, uint64_t order) {
  synchronise_load(call.state, call.thread, a.at, a.size, order_of(order));
}
void order_store(SyncCall& call, const Access& a, uint64_t order, bool update) {
  synchronise_store(call.state, call.thread, a.at, a.size, order_of(order),
                    update ? Sequence::Update : sequence_of_store(call.state, call.thread));
}

// --- any size, through memory ---

void load(SyncCall& call) {
  Access a;
  if (!open(call, false, a)) return;
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, true, false);
  order_load(call, a, call.argument(3));
  call.state.write(call.thread, {call.argument(2)}, a.bytes(), a.size);
}

void store(SyncCall& call) {
  Access a;
  if (!open(call, true, a)) return;
  std::vector<uint8_t> value(a.size);
  if (!call.state.read(call.thread, {call.argument(2)}, value.data(), a.size)) return;
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, false, true);
  order_store(call, a, call.argument(3), false);
  put(call, a, value.data());
}

void exchange(SyncCall& call) {
  Access a;
  if (!open(call, true, a)) return;
  std::vector<uint8_t> value(a.size);
  if (!call.state.read(call.thread, {call.argument(2)}, value.data(), a.size)) return;
  if (!call.state.write(call.thread, {call.argument(3)}, a.bytes(), a.size)) return;
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, true, true);
  order_load(call, a, call.argument(4));
  order_store(call, a, call.argument(4), true);
  put(call, a, value.data());
}

// Compares with what `expected` points to; the desired bytes replace it, or it becomes what was found.
void compare_with(SyncCall& call, const Access& a, const void* desired, uint64_t expected_at, uint64_t success,
                  uint64_t failure) {
  std::vector<uint8_t> expected(a.size);
  if (!call.state.read(call.thread, {expected_at}, expected.data(), a.size)) return;
  const bool same = std::memcmp(expected.data(), a.bytes(), a.size) == 0;
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, true, same);
  order_load(call, a, same ? success : failure);
  if (same) {
    order_store(call, a, success, true);
    put(call, a, desired);
  } else {
    call.failed = true;
    if (!call.state.write(call.thread, {expected_at}, a.bytes(), a.size)) return;
  }
  call.result(same);
}

void compare_exchange(SyncCall& call) {
  Access a;
  if (!open(call, true, a)) return;
  std::vector<uint8_t> desired(a.size);
  if (!call.state.read(call.thread, {call.argument(3)}, desired.data(), a.size)) return;
  compare_with(call, a, desired.data(), call.argument(2), call.argument(4), call.argument(5));
}

// --- sizes 1 to 16, by value ---

// 16 bytes are passed as two arguments: what follows them is one further.
Wide wide_argument(const SyncCall& call, uint32_t n) {
  const Wide low = call.argument(n);
  return call.row.size > 8 ? low | Wide{call.argument(n + 1)} << 64 : low;
}
uint64_t argument_after_size(const SyncCall& call, uint32_t n) { return call.argument(call.row.size > 8 ? n + 1 : n); }

Wide value_at(const Access& a) {
  Wide value = 0;
  std::memcpy(&value, a.bytes(), a.size);
  return value;
}

void wide_result(SyncCall& call, Wide value) {
  call.result(static_cast<uint64_t>(value));
  if (call.row.size > 8) call.result(static_cast<uint64_t>(value >> 64), 1);
}

void sized_load(SyncCall& call) {
  Access a;
  if (!open(call, false, a)) return;
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, true, false);
  order_load(call, a, call.argument(1));
  wide_result(call, value_at(a));
}

void sized_store(SyncCall& call) {
  Access a;
  if (!open(call, true, a)) return;
  const Wide value = wide_argument(call, 1);
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, false, true);
  order_store(call, a, argument_after_size(call, 2), false);
  put(call, a, &value);
}

void sized_compare_exchange(SyncCall& call) {
  Access a;
  if (!open(call, true, a)) return;
  const Wide desired = wide_argument(call, 2);
  compare_with(call, a, &desired, call.argument(1), argument_after_size(call, 3), argument_after_size(call, 4));
}

// Reads, computes, writes; the result is the old value (__atomic_fetch_add_8) or the new one (__atomic_add_fetch_8).
template <Wide (*kCompute)(Wide old, Wide operand), bool kNew>
void sized_update(SyncCall& call) {
  Access a;
  if (!open(call, true, a)) return;
  const Wide old = value_at(a), value = kCompute(old, wide_argument(call, 1));
  const uint64_t order = argument_after_size(call, 2);
  call.state.access_atomic(call.thread, *a.object, a.at, a.size, true, true);
  order_load(call, a, order);
  order_store(call, a, order, true);
  Wide result = kNew ? value : old;
  if (a.size < 16) result &= (Wide{1} << (a.size * 8)) - 1;
  put(call, a, &value);
  wide_result(call, result);
}

Wide replace(Wide, Wide operand) { return operand; }
Wide add(Wide old, Wide operand) { return old + operand; }
Wide subtract(Wide old, Wide operand) { return old - operand; }
Wide conjoin(Wide old, Wide operand) { return old & operand; }
Wide disjoin(Wide old, Wide operand) { return old | operand; }
Wide differ(Wide old, Wide operand) { return old ^ operand; }
Wide deny(Wide old, Wide operand) { return ~(old & operand); }

struct Sized {
  std::string_view name;
  K kind;
  void (*perform)(SyncCall&);
};
constexpr Sized kSized[] = {
    {"__atomic_load_", K::AtomicRead, sized_load},
    {"__atomic_store_", K::AtomicWrite, sized_store},
    {"__atomic_exchange_", K::AtomicUpdate, sized_update<replace, false>},
    {"__atomic_compare_exchange_", K::AtomicUpdate, sized_compare_exchange},
    {"__atomic_fetch_add_", K::AtomicUpdate, sized_update<add, false>},
    {"__atomic_fetch_sub_", K::AtomicUpdate, sized_update<subtract, false>},
    {"__atomic_fetch_and_", K::AtomicUpdate, sized_update<conjoin, false>},
    {"__atomic_fetch_or_", K::AtomicUpdate, sized_update<disjoin, false>},
    {"__atomic_fetch_xor_", K::AtomicUpdate, sized_update<differ, false>},
    {"__atomic_fetch_nand_", K::AtomicUpdate, sized_update<deny, false>},
    {"__atomic_add_fetch_", K::AtomicUpdate, sized_update<add, true>},
    {"__atomic_sub_fetch_", K::AtomicUpdate, sized_update<subtract, true>},
    {"__atomic_and_fetch_", K::AtomicUpdate, sized_update<conjoin, true>},
    {"__atomic_or_fetch_", K::AtomicUpdate, sized_update<disjoin, true>},
    {"__atomic_xor_fetch_", K::AtomicUpdate, sized_update<differ, true>},
    {"__atomic_nand_fetch_", K::AtomicUpdate, sized_update<deny, true>},
};

// The arguments of a call.
struct Places {
  uint32_t order = 0, failure = 0, expected = 0;  // 0: it has none
};

Places places_of(const VisibleRow& row) {
  if (row.size == 0) {
    if (row.perform == compare_exchange) return {4, 5, 2};
    return {row.kind == K::AtomicUpdate ? 4u : 3u};
  }
  const uint32_t after = row.size > 8;
  if (row.perform == sized_compare_exchange) return {3 + after, 4 + after, 1};
  return {row.kind == K::AtomicRead ? 1 : 2 + after};
}

uint64_t argument_of(const Machine::State& s, const Thread& t, uint32_t n) {
  const auto& arguments = s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)].site->arguments;
  return n < arguments.size() ? t.stack[t.fp + arguments[n].slot] : 0;
}

constexpr std::array<uint8_t, 5> kSizes = {1, 2, 4, 8, 16};
constexpr size_t kCount = std::size(kSized) * kSizes.size();

// As libatomic of GCC 12 answers: what fits into an aligned word of at most 8 bytes.
Status is_lock_free(Guest& g) {
  const uint64_t size = g.argument(0), at = g.argument(1);
  bool free = false;
  for (uint64_t word = 1; word <= 8; word *= 2) free |= size <= word && at % word + size <= word;
  g.result_int(free);
  return Status::Done;
}

}  // namespace

std::span<const VisibleRow> atomic_rows() {
  static const auto* const names = [] {
    auto* all = new std::vector<std::string>;
    for (const Sized& sized : kSized)
      for (const uint8_t size : kSizes) all->push_back(std::string(sized.name) + std::to_string(size));
    return all;
  }();
  static const auto* const rows = [] {
    auto* all = new std::vector<VisibleRow>{
        {"__atomic_load", K::AtomicRead, 1, -1, false, load},
        {"__atomic_store", K::AtomicWrite, 1, -1, false, store},
        {"__atomic_exchange", K::AtomicUpdate, 1, -1, false, exchange},
        {"__atomic_compare_exchange", K::AtomicUpdate, 1, -1, false, compare_exchange},
    };
    for (size_t n = 0; n < kCount; ++n) {
      const Sized& sized = kSized[n / kSizes.size()];
      all->push_back({(*names)[n], sized.kind, 0, -1, false, sized.perform, {}, kSizes[n % kSizes.size()]});
    }
    return all;
  }();
  return *rows;
}

const VisibleRow* call_of_atomic(const Machine::State& s, const Thread& t) {
  const VisibleRow* const row = t.phase == Phase::Normal ? s.visible_row(t) : nullptr;
  const std::span<const VisibleRow> rows = atomic_rows();
  return row >= rows.data() && row < rows.data() + rows.size() ? row : nullptr;
}

AtomicOrders orders_of(const Machine::State& s, const Thread& t, const VisibleRow& row) {
  const Places places = places_of(row);
  const MemoryOrder order = order_of(argument_of(s, t, places.order));
  return {order, places.failure != 0 ? order_of(argument_of(s, t, places.failure)) : order};
}

std::optional<Pointer> expected_by(const Machine::State& s, const Thread& t, const VisibleRow& row) {
  const uint32_t expected = places_of(row).expected;
  return expected != 0 ? std::optional(Pointer{argument_of(s, t, expected)}) : std::nullopt;
}

std::span<const BuiltinRow> atomic_builtins() {
  static const BuiltinRow rows[] = {{"__atomic_is_lock_free", is_lock_free}};
  return rows;
}

}  // namespace heddle::machine
