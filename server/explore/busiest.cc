#include "server/explore/busiest.h"

#include "server/detect/describe.h"

namespace heddle::explore {

void Busiest::look(const machine::Machine& machine, machine::ThreadId thread) {
  ++looks_;
  for (const machine::CodeAddress at : machine.call_stack(thread)) {
    if (!at.function.valid() || !machine.program().function(at.function).in_project) continue;
    Count& count = counts_[at.bits()];
    if (count.steps++ == 0) count.place = detect::place_of(machine, at, thread, "");
    if (count.numbers.insert(thread.value).second) count.threads.insert(detect::thread_label(machine, thread));
    return;
  }
}

BusiestPlace Busiest::most() const {
  BusiestPlace result;
  const Count* best = nullptr;
  for (const auto& [at, count] : counts_)
    if (best == nullptr || count.steps > best->steps) best = &count;
  if (best == nullptr) return result;
  result.place = best->place;
  result.steps = best->steps * kStepsPerLook;
  result.of = looks_ * kStepsPerLook;
  result.threads.assign(best->threads.begin(), best->threads.end());
  return result;
}

}  // namespace heddle::explore
