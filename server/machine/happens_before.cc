// Vector clocks. Entry t of a thread's clock is the last event of thread t that is ordered before what it does next;
// its own entry is the number its next event will have.
#include <algorithm>

#include "server/machine/state.h"

namespace heddle::machine {

void Machine::State::grow_clocks(uint32_t count, uint32_t threads) {
  uint32_t stride = std::max<uint32_t>(root_.clock_stride, 4);
  while (stride < threads) stride *= 2;
  const uint32_t capacity = std::max<uint32_t>(count, 64);
  const uint64_t bytes = sizeof(Clock) + uint64_t{stride} * 4,
                 old_bytes = sizeof(Clock) + uint64_t{root_.clock_stride} * 4;
  auto* larger = static_cast<uint8_t*>(undo_.take(bytes * capacity));
  for (uint32_t n = 0; n < root_.clock_count; ++n) {
    std::memset(larger + n * bytes, 0, bytes);
    std::memcpy(larger + n * bytes, root_.clocks + n * old_bytes, old_bytes);
    reinterpret_cast<Clock*>(larger + n * bytes)->saved_mark = undo_.mark();  // the old array stays as it was
  }
  root_.clocks = larger;
  root_.clock_stride = stride;
  root_.clock_capacity = capacity;
}

uint32_t Machine::State::make_clock() {
  if (root_.clock_count == root_.clock_capacity) grow_clocks(root_.clock_capacity * 2, root_.clock_stride);
  const uint32_t id = root_.clock_count++;
  Clock& c = clock(id);
  std::memset(static_cast<void*>(&c), 0, sizeof(Clock) + uint64_t{root_.clock_stride} * 4);
  c.saved_mark = undo_.mark();
  return id;
}

void Machine::State::join_clock(uint32_t into, uint32_t from) {
  if (from == 0 || into == from) return;
  Clock& to = clock(into);
  const Clock& other = clock(from);
  const uint32_t threads = root_.thread_limit;
  uint32_t n = 0;
  while (n < threads && other.at[n] <= to.at[n]) ++n;
  if (n == threads) return;
  touch_clock(to);
  if (image_->reads_clock) to.time = std::max(to.time, other.time);
  for (; n < threads; ++n) to.at[n] = std::max(to.at[n], other.at[n]);
}

void Machine::State::copy_clock(uint32_t into, uint32_t from) {
  Clock& to = clock(into);
  touch_clock(to);
  to.time = clock(from).time;
  std::memcpy(to.at, clock(from).at, uint64_t{root_.clock_stride} * 4);
}

void Machine::State::release(Thread& t, uint32_t& id) {
  if (id == 0) id = make_clock();
  join_clock(id, t.clock);
}

}  // namespace heddle::machine
