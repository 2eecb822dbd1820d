#include "server/detect/order.h"

#include <algorithm>

namespace heddle::detect {

using machine::Machine;
using machine::ThreadId;

namespace {

// How many operations of `earlier` are ordered before what `later` does next.
uint32_t ordered_count(const Machine& machine, ThreadId earlier, ThreadId later) {
  uint32_t yes = 0, no = machine.event_count(earlier) + 1;
  while (yes + 1 < no) {
    const uint32_t middle = yes + (no - yes) / 2;
    (machine.ordered_before(earlier, middle, later) ? yes : no) = middle;
  }
  return yes;
}

}  // namespace

const DirectOrder::Known& DirectOrder::known_at(EventNumber event) const {
  static const Known nothing;
  if (event.thread.value >= known_.size()) return nothing;
  const auto& numbers = known_[event.thread.value];
  return event.number < numbers.size() ? numbers[event.number] : nothing;
}

std::vector<EventNumber> DirectOrder::performed(const Machine& machine, ThreadId thread) {
  const uint32_t number = machine.event_count(thread);
  return learn(machine, {thread, number}, number > 0 ? known_at({thread, number - 1}) : Known{});
}

std::vector<EventNumber> DirectOrder::begun(const Machine& machine, ThreadId thread) {
  return learn(machine, {thread, 0}, {});
}

std::vector<EventNumber> DirectOrder::learn(const Machine& machine, EventNumber event, const Known& before) {
  const auto [thread, number] = event;
  const uint32_t threads = machine.thread_count();
  if (known_.size() < threads) known_.resize(threads);
  const auto count_of = [](const Known& known, uint32_t of) { return of < known.size() ? known[of] : 0; };
  Known after(threads);
  std::vector<EventNumber> fresh;
  for (uint32_t other = 0; other < threads; ++other) {
    if (other == thread.value) continue;
    after[other] = std::max(ordered_count(machine, ThreadId(other), thread), count_of(before, other));
    if (after[other] > count_of(before, other)) fresh.push_back({ThreadId(other), after[other]});
  }
  // What another of them already comes after needs no arrow of its own.
  std::vector<EventNumber> direct;
  for (const EventNumber& earlier : fresh) {
    const bool implied = std::any_of(fresh.begin(), fresh.end(), [&](const EventNumber& other) {
      return other.thread != earlier.thread && count_of(known_at(other), earlier.thread.value) >= earlier.number;
    });
    if (!implied) direct.push_back(earlier);
  }
  auto& numbers = known_[thread.value];
  if (numbers.size() <= number) numbers.resize(number + 1);
  numbers[number] = std::move(after);
  return direct;
}

}  // namespace heddle::detect
