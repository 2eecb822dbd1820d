// Entry t of a thread's clock is the last event of thread t that is ordered before what it does next; its own entry is
// the number its next event will have.
#include "server/machine/happens_before.h"

#include <algorithm>

#include "server/machine/hashing.h"

namespace heddle::machine {

Clocks::Clocks(Undo& undo, bool with_times) : undo_(undo), with_times_(with_times) {
  grow(64, 4);
  make();  // 0
}

void Clocks::grow(uint32_t count, uint32_t threads) {
  Position larger = now_;
  larger.stride = std::max<uint32_t>(now_.stride, 4);
  while (larger.stride < threads) larger.stride *= 2;
  larger.capacity = std::max<uint32_t>(count, 64);
  const uint64_t bytes = sizeof(Clock) + uint64_t{larger.stride} * 4, old_bytes = this->bytes();
  larger.clocks = static_cast<uint8_t*>(undo_.take(bytes * larger.capacity));
  for (uint32_t n = 0; n < now_.count; ++n) {
    uint8_t* const moved = larger.clocks + n * bytes;
    std::memset(moved, 0, bytes);
    std::memcpy(moved, now_.clocks + n * old_bytes, old_bytes);
    reinterpret_cast<Clock*>(moved)->saved_mark = undo_.mark();  // the old array is not changed
  }
  now_ = larger;
}

void Clocks::add_thread(uint32_t id) {
  now_.threads = std::max(now_.threads, id + 1);
  if (id + 1 > now_.stride) grow(now_.capacity, id + 1);
}

uint32_t Clocks::make() {
  if (now_.count == now_.capacity) grow(now_.capacity * 2, now_.stride);
  const uint32_t id = now_.count++;
  Clock& c = at(id);
  std::memset(static_cast<void*>(&c), 0, bytes());
  c.saved_mark = undo_.mark();
  return id;
}

void Clocks::join(uint32_t into, uint32_t from) {
  if (from == 0 || into == from) return;
  Clock& to = at(into);
  const Clock& other = at(from);
  const uint32_t threads = now_.threads;
  uint32_t n = 0;
  while (n < threads && other.at[n] <= to.at[n]) ++n;
  if (n == threads) return;
  touch(to);
  if (with_times_) to.time = std::max(to.time, other.time);
  for (; n < threads; ++n) to.at[n] = std::max(to.at[n], other.at[n]);
}

void Clocks::copy(uint32_t into, uint32_t from) {
  Clock& to = at(into);
  touch(to);
  to.time = at(from).time;
  std::memcpy(to.at, at(from).at, uint64_t{now_.stride} * 4);
}

uint64_t Clocks::hash(uint32_t id, uint64_t key) const {
  uint64_t hash = 0;
  if (id == 0) return 0;
  const Clock& c = at(id);
  for (uint32_t n = 0; n < now_.threads; ++n) hash ^= hash_word(combine(key, n), c.at[n]);
  return hash;
}

void Clocks::release(Thread& t, uint32_t& id) {
  if (id == 0) id = make();
  join(id, t.clock);
}

}  // namespace heddle::machine
