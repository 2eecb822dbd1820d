#include "server/explore/random_walk.h"

#include "server/explore/splitmix.h"

namespace heddle::explore {

using machine::Outcome;
using machine::ThreadId;

void random_walk(Driver& driver, Reporter& reporter, const Task& task) {
  constexpr uint64_t kExecutions = 1000;
  const uint64_t executions = task.budget.executions_max ? task.budget.executions_max : kExecutions;
  Statistics& statistics = reporter.statistics();
  uint64_t random = task.seed;
  detect::Schedule schedule;
  const ScheduleSource source = [&] { return schedule; };
  const machine::Mark start = driver.mark();
  for (uint64_t n = 0; n < executions && !reporter.stopped(); ++n) {
    if (n > 0) driver.rewind(start);
    schedule.clear();
    while (true) {
      ++statistics.states;
      ThreadSet enabled;
      const uint32_t threads = driver.thread_count();
      if (threads > kThreadsMax || schedule.size() >= kStepsMax) {
        reporter.beyond(threads > kThreadsMax ? Beyond::Threads : Beyond::Steps, source);
        break;
      }
      for (uint32_t thread = 0; thread < threads; ++thread) {
        if (driver.enabled(ThreadId(thread))) enabled.add(thread);
      }
      if (enabled.empty()) {
        ++statistics.executions;
        reporter.ended(driver, PathEnd::Stuck, source);
        break;
      }
      uint64_t skip = next_random(random) % enabled.count();
      ThreadId chosen;
      for_each(enabled, [&](uint32_t thread) {
        if (skip-- == 0) chosen = ThreadId(thread);
      });
      const uint32_t alternatives = driver.pending(chosen).alternatives;
      const auto alternative = static_cast<uint32_t>(alternatives > 1 ? next_random(random) % alternatives : 0);
      schedule.push_back({chosen, alternative});
      const Outcome outcome = driver.perform(chosen, alternative);
      ++statistics.events;
      if (!reporter.stepped(driver, chosen, source)) return;
      if (outcome == Outcome::Running) continue;
      ++statistics.executions;
      reporter.ended(driver, outcome == Outcome::Finished ? PathEnd::Finished : PathEnd::Faulted, source);
      break;
    }
  }
  if (!reporter.stopped()) reporter.stop(Completeness::ExecutionLimit);  // however many: no proof
}

}  // namespace heddle::explore
