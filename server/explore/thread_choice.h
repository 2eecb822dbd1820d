// Which thread a new path takes: operations that are no scheduling points first, then the running thread; the end of
// the process last.
//
// In:      a System and a Client as in partial_order.h; the threads that may run; how many steps in a row were no
//          scheduling points.
// Out:     a thread; kThreadsMax: none has to run at once.
// Owns:    nothing.
// Threads: the thread that uses the System.
// Fails:   never.
#pragma once

#include <cstdint>

#include "server/explore/dependence.h"
#include "server/explore/thread_set.h"
#include "server/machine/machine.h"

namespace heddle::explore {

// Irrelevant operations run at once, but not for ever: after this many the next thread gets its turn, and after as many
// rounds of that the scheduling points do.
inline constexpr uint32_t kRotateAfter = 1000;
inline constexpr uint32_t kForcedMax = 16 * kRotateAfter;

template <typename System, typename Client>
uint32_t forced_choice(System& system, Client& client, const ThreadSet& candidates, uint32_t streak) {
  if (streak >= kForcedMax) return kThreadsMax;
  uint32_t first = kThreadsMax, after = kThreadsMax;
  const uint32_t turn = streak / kRotateAfter % kThreadsMax;
  uint32_t seen = 0;
  for_each(candidates, [&](uint32_t thread) {
    if (after != kThreadsMax || client.relevant(system.pending(machine::ThreadId(thread)))) return;
    if (first == kThreadsMax) first = thread;
    if (seen++ == turn) after = thread;
  });
  return after != kThreadsMax ? after : first;
}

template <typename System>
ThreadSet enabled_threads(System& system, uint32_t threads) {
  ThreadSet enabled;
  for (uint32_t thread = 0; thread < threads; ++thread)
    if (system.enabled(machine::ThreadId(thread))) enabled.add(thread);
  return enabled;
}

// `running` if it is among them, else the first one; the end of the process last.
template <typename System>
uint32_t running_or_first(System& system, const ThreadSet& candidates, uint32_t running) {
  const auto exits = [&](uint32_t thread) {
    return system.pending(machine::ThreadId(thread)).kind == machine::OperationKind::ProcessExit;
  };
  if (running != kThreadsMax && candidates.has(running) && !exits(running)) return running;
  uint32_t result = kThreadsMax;
  for_each(candidates, [&](uint32_t thread) {
    if (result == kThreadsMax && !exits(thread)) result = thread;
  });
  return result != kThreadsMax ? result : candidates.first();
}

template <typename System, typename Client>
uint32_t first_choice(System& system, Client& client, ThreadSet candidates, uint32_t streak, uint32_t running) {
  const auto pending = [&](uint32_t thread) -> decltype(auto) { return system.pending(machine::ThreadId(thread)); };
  if (streak >= kForcedMax) {
    ThreadSet points;
    for_each(candidates, [&](uint32_t thread) {
      if (client.relevant(pending(thread))) points.add(thread);
    });
    if (!points.empty()) candidates = points;
  }
  return running_or_first(system, candidates, running);
}

// A thread whose next operation is independent of all that others do: {thread} is a persistent set. So is the only
// enabled thread.
template <typename System, typename Client>
uint32_t singleton_among(System& system, Client& client, const ThreadSet& enabled) {
  if (enabled.count() == 1) return enabled.first();
  uint32_t result = kThreadsMax;
  for_each(enabled, [&](uint32_t thread) {
    if (result != kThreadsMax) return;
    const machine::Operation& operation = system.pending(machine::ThreadId(thread));
    if (!client.relevant(operation) || footprint(operation).count == 0) result = thread;
  });
  return result;
}

}  // namespace heddle::explore
