// The places of limits: where a path went beyond what is followed, where a search stood when memory ran out.
#include <algorithm>
#include <map>

#include "server/detect/cycles.h"
#include "server/detect/library_waits.h"
#include "server/explore/report.h"

namespace heddle::explore {

using machine::OperationKind;
using machine::ThreadId;
using machine::ThreadStatus;

detect::SourcePlace Reporter::place_of_limit(machine::ThreadId thread, machine::CodeAddress at,
                                             machine::CodeAddress user) const {
  machine::Fault fault;
  fault.kind = machine::FaultKind::Unsupported;
  fault.thread = thread;
  fault.places.push_back({at, thread, "here", {}, user});
  const detect::Finding shown = detect::from_fault(*machine_, fault, {});
  return shown.places.empty() ? detect::SourcePlace{} : shown.places.front();
}

// Threads: where the last one was started.
detect::SourcePlace Reporter::where_it_went_beyond(bool threads, const ScheduleSource& schedule) const {
  if (!threads) return where_it_went_round(schedule());
  const auto& events = machine_->events();
  const auto last = std::find_if(events.rbegin(), events.rend(),
                                 [](const auto& event) { return event.operation.kind == OperationKind::Create; });
  if (last == events.rend()) return {};
  return place_of_limit(last->operation.thread, last->operation.at, last->user);
}

// Where the thread stands that made most of the last steps.
detect::SourcePlace Reporter::where_it_went_round(const detect::Schedule& schedule) const {
  constexpr size_t kLast = 1'000;
  std::map<uint32_t, uint32_t> steps;
  for (size_t n = schedule.size() - std::min(schedule.size(), kLast); n < schedule.size(); ++n)
    ++steps[schedule[n].thread.value];
  const auto most = std::max_element(steps.begin(), steps.end(), [](auto& a, auto& b) { return a.second < b.second; });
  if (most == steps.end() || machine_->status(ThreadId(most->first)) == ThreadStatus::Ended) return {};
  const machine::Operation& operation = machine_->pending(ThreadId(most->first));
  return place_of_limit(operation.thread, operation.at,
                        detect::project_call(*machine_, operation.thread, operation.at));
}

// No more than the path's events is looked at: the last step may be half done.
detect::SourcePlace Reporter::where_it_stands() const {
  if (machine_ == nullptr || machine_->events().empty()) return {};
  const machine::Event& last = machine_->events().back();
  return place_of_limit(last.operation.thread, last.operation.at, last.user);
}

}  // namespace heddle::explore
