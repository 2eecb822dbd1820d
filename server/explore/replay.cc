// Following one schedule: open findings on a new version, and findings with fewer context switches.
#include <algorithm>

#include "server/detect/cycles.h"
#include "server/detect/exit_code.h"
#include "server/detect/interrupted_races.h"
#include "server/explore/graph_machine.h"

namespace heddle::explore {

using detect::Choice;
using detect::Finding;
using detect::Schedule;
using machine::Machine;
using machine::Outcome;
using machine::ThreadId;
using machine::ThreadStatus;

namespace {

// The thread that continues without a needless switch; none if no thread can.
ThreadId without_switch(Machine& machine, ThreadId running) {
  if (running.valid() && running.value < machine.thread_count() && machine.enabled(running)) return running;
  for (uint32_t thread = 0; thread < machine.thread_count(); ++thread) {
    if (machine.enabled(ThreadId(thread))) return ThreadId(thread);
  }
  return {};
}

// Of a path of an execution graph, loops wait as they did in the search, and nothing is made shorter: fewer switches
// would mean other stores to read.
Task with_loops_as_searched(Task task) {
  if (task.mode != Mode::Graphs) return task;
  task.minimise = false;
  task.machine.exact_spins = true;
  return task;
}

Listener with_traces(const machine::ImagePtr& image, const Task& task, const Listener& listener) {
  Listener result = listener;
  if (task.mode != Mode::Graphs) return result;
  result.finding = [=](const Finding& finding) {
    Finding reported = finding;
    describe_in_graph(image, task, "", reported);
    listener.finding(reported);
  };
  return result;
}

}  // namespace

Result replay(const machine::ImagePtr& image, const Schedule& schedule, const Task& asked, const Listener& heard) {
  const Task task = with_loops_as_searched(asked);
  const Listener listener = with_traces(image, task, heard);
  Reporter reporter(image, task, listener);
  Machine machine(image, task.machine);
  reporter.begin(machine);
  Driver driver(machine);
  driver.past_faults = task.past_faults;
  if (reporter.ended_at_once(driver)) return reporter.finish();
  Schedule performed;
  const ScheduleSource source = [&] { return performed; };
  Statistics& statistics = reporter.statistics();
  ThreadId running;
  Outcome outcome = Outcome::Running;
  const auto perform = [&](Choice choice) {
    if (!choice.found)  // else it is about what is found
      choice.alternative = std::min(choice.alternative, machine.pending(choice.thread).alternatives - 1);
    performed.push_back(choice);
    outcome = driver.perform(choice);
    machine.compare_memory();  // where loops need it
    running = choice.thread;
    ++statistics.states;
    ++statistics.events;
    return reporter.stepped(driver, choice.thread, source) && outcome == Outcome::Running;
  };
  bool on = true;
  for (size_t n = 0; on && n < schedule.size(); ++n) {
    const Choice& choice = schedule[n];
    if (choice.thread.value >= machine.thread_count() || !machine.enabled(choice.thread)) continue;
    on = perform(choice);
  }
  const size_t followed = performed.size();
  while (on) {
    const ThreadId next = without_switch(machine, running);
    if (!next.valid()) break;
    on = perform({next, 0});
    constexpr size_t kRoundsFrom = 256;  // steps after the schedule: what loops for ever has done so by then
    if (on && performed.size() == followed + kRoundsFrom && reporter.cycle_closed(driver, source)) break;
    if (performed.size() < kStepsMax) continue;
    reporter.beyond(Beyond::Steps, source);
    return reporter.finish();
  }
  ++statistics.executions;
  const bool stuck = outcome == Outcome::Running && !without_switch(machine, running).valid();
  if (!reporter.stopped() && (stuck || outcome != Outcome::Running)) {
    reporter.ended(driver,
                   stuck                          ? PathEnd::Stuck
                   : outcome == Outcome::Finished ? PathEnd::Finished
                                                  : PathEnd::Faulted,
                   source);
    reporter.compare_exit_code();
  }
  return reporter.finish();
}

namespace {

struct Segment {
  ThreadId thread;
  std::vector<uint32_t> alternatives;  // one per step
};

std::vector<Segment> segments_of(const Schedule& schedule) {
  std::vector<Segment> result;
  for (const Choice& choice : schedule) {
    if (result.empty() || result.back().thread != choice.thread) result.push_back({choice.thread, {}});
    result.back().alternatives.push_back(choice.alternative);
  }
  return result;
}

uint32_t switches_in(const Schedule& schedule) {
  uint32_t count = 0;
  for (size_t n = 1; n < schedule.size(); ++n) count += schedule[n].thread != schedule[n - 1].thread;
  return count;
}

// Looks for the finding along variations of its schedule.
class Minimiser {
 public:
  Minimiser(const machine::ImagePtr& image, const Finding& finding, const Task& task)
      : machine_(image, task.machine), driver_(machine_), wanted_(finding.id), best_(finding) {
    machine_.make_visible(task.visible);
    start_ = machine_.mark();
    best_switches_ = switches_in(finding.schedule);
  }

  Finding run() {
    if (machine_.outcome() != Outcome::Running) return best_;
    if (best_switches_ > kSwitchesMany) interrupt_early();
    cut_tails();
    bool better = true;
    while (better && budget_left()) better = join_segments();
    return best_;
  }

  // Does the schedule show it, with however many switches?
  bool shows(const Schedule& schedule) {
    if (machine_.outcome() != Outcome::Running) return false;
    best_switches_ = static_cast<uint32_t>(-1);
    return attempt(segments_of(schedule));
  }

 private:
  static constexpr uint64_t kEventsMax = 40'000;
  static constexpr uint64_t kInstructionsMax = 8'000'000;
  static constexpr size_t kSegmentsMax = 200;
  static constexpr uint32_t kSwitchesMany = 8;
  static constexpr size_t kEarlySteps = 256;

  bool budget_left() const { return events_ < kEventsMax && machine_.instructions() < kInstructionsMax; }
  bool is_early() const { return events_ < kEventsMax / 4 && machine_.instructions() < kInstructionsMax / 4; }

  // The first k segments as they are, and no switch that is not needed after them.
  void cut_tails() {
    const std::vector<Segment> all = segments_of(best_.schedule);
    const size_t most = std::min(all.size(), kSegmentsMax);
    for (size_t count = 0; count < most && count < best_switches_ && budget_left(); ++count) {
      if (attempt({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)})) return;
    }
  }

  // The search may have met an error of a loop in its last round. Looks for it with one preemptive switch, as early as
  // possible; threads that wait give way as ever.
  void interrupt_early() {
    driver_.rewind(start_);
    driver_.faults_seen = 0;
    Schedule performed;
    std::vector<std::vector<ThreadId>> others;  // by step: who else could run
    for (ThreadId running; performed.size() < kEarlySteps && is_early() && machine_.outcome() == Outcome::Running;) {
      running = without_switch(machine_, running);
      if (!running.valid()) break;
      others.emplace_back();
      for (ThreadId thread{0}; thread.value < machine_.thread_count(); ++thread.value)
        if (thread != running && machine_.enabled(thread)) others.back().push_back(thread);
      performed.push_back({running, 0});
      driver_.perform(performed.back());
    }
    for (size_t n = 0; n < performed.size(); ++n)
      for (const ThreadId other : others[n]) {
        if (!is_early()) return;
        Schedule early(performed.begin(), performed.begin() + static_cast<std::ptrdiff_t>(n));
        early.push_back({other, 0});
        if (attempt(segments_of(early))) return;
      }
  }

  // Let one segment follow the thread's previous one at once, or come together with its next one later. One pass over
  // the schedule; true if it helped.
  bool join_segments() {
    bool helped = false;
    std::vector<Segment> all = segments_of(best_.schedule);
    for (size_t n = 1; n < all.size() && all.size() <= kSegmentsMax && budget_left();) {
      if (!join_segment(all, n)) {
        ++n;
        continue;
      }
      helped = true;
      all = segments_of(best_.schedule);
    }
    return helped;
  }

  bool join_segment(const std::vector<Segment>& all, size_t n) {
    size_t before = n;
    while (before > 0 && all[before - 1].thread != all[n].thread) --before;
    if (before > 0 && before < n && attempt(moved(all, n, before))) return true;
    size_t after = n + 1;
    while (after < all.size() && all[after].thread != all[n].thread) ++after;
    return after < all.size() && attempt(moved(all, n, after));
  }

  static std::vector<Segment> moved(std::vector<Segment> all, size_t from, size_t to) {
    const Segment segment = all[from];
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(from));
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(to > from ? to - 1 : to), segment);
    return all;
  }

  // True if the finding came up with fewer switches; it is the best one then.
  bool attempt(const std::vector<Segment>& segments) {
    driver_.rewind(start_);
    driver_.faults_seen = 0;
    Schedule performed;
    uint32_t switches = 0;
    for (const Segment& segment : segments) {
      for (const uint32_t alternative : segment.alternatives) {
        if (segment.thread.value >= machine_.thread_count() || !machine_.enabled(segment.thread)) break;
        if (!step(performed, switches, {segment.thread, alternative})) return found_;
      }
    }
    while (true) {
      const ThreadId next = without_switch(machine_, performed.empty() ? ThreadId{} : performed.back().thread);
      if (!next.valid()) break;
      if (!step(performed, switches, {next, 0})) return found_;
    }
    if (auto stuck = detect::from_stuck(machine_, performed)) return accept(std::move(*stuck), switches);
    return false;
  }

  // False: this attempt is over.
  bool step(Schedule& performed, uint32_t& switches, Choice choice) {
    found_ = false;
    switches += !performed.empty() && performed.back().thread != choice.thread;
    if (switches >= best_switches_ || !budget_left()) return false;
    choice.alternative = std::min(choice.alternative, machine_.pending(choice.thread).alternatives - 1);
    performed.push_back(choice);
    ++events_;
    const Outcome outcome = driver_.perform(choice);
    if (outcome == Outcome::Finished && best_.rule == detect::kExitCodeDiffers && fails_as_before(performed, switches))
      return false;
    for (; driver_.faults_seen < machine_.faults().size(); ++driver_.faults_seen) {
      const machine::Fault& fault = machine_.faults()[driver_.faults_seen];
      if (detect::is_limit(fault.kind)) continue;
      if (accept(detect::from_fault(machine_, fault, performed), switches)) return false;
    }
    if (outcome == Outcome::Running && best_.rule == "deadlock" &&
        machine_.status(choice.thread) == ThreadStatus::Blocked) {
      for (const detect::Cycle& cycle : detect::lock_cycles_through(machine_, choice.thread))
        if (accept(detect::from_lock_cycle(machine_, performed, cycle), switches)) return false;
    }
    return outcome == Outcome::Running;
  }

  // Another end that fails may be one with other inputs, or of its own.
  bool fails_as_before(const Schedule& performed, uint32_t switches) {
    if (machine_.exit_code() == 0 || !detect::ends_by_itself(machine_) || !detect::inputs_key(machine_).empty())
      return false;
    const detect::ProcessEnd end = detect::process_end(machine_, performed);
    Finding finding = best_;
    if (finding.places.empty() || !(end.place == finding.places.front())) return false;
    finding.schedule = performed;
    return accept(std::move(finding), switches);
  }

  bool accept(Finding finding, uint32_t switches) {
    if (finding.id != wanted_ || switches >= best_switches_) return false;
    best_ = std::move(finding);
    best_switches_ = switches;
    found_ = true;
    return true;
  }

  Machine machine_;
  Driver driver_;
  const std::string wanted_;
  Finding best_;
  uint32_t best_switches_ = 0;
  machine::Mark start_;
  uint64_t events_ = 0;
  bool found_ = false;
};

}  // namespace

namespace {

// The schedule of the same interleaving for a machine to which plain accesses are no scheduling points: each happens
// together with what its thread did before it.
Schedule without_plain_accesses(const machine::ImagePtr& image, const Finding& finding, const Task& task) {
  Machine machine(image, task.machine);
  machine.make_visible(task.visible);
  Driver driver(machine);
  Schedule result;
  for (const Choice& choice : finding.schedule) {
    if (machine.outcome() != Outcome::Running || !machine.enabled(choice.thread)) break;
    if (!detect::is_plain(machine.pending(choice.thread).kind)) result.push_back(choice);
    driver.perform(choice);
  }
  return result;
}

// Does it happen, too, when no thread is interrupted between plain accesses? Then it is a defect of its own.
bool happens_between_operations(const machine::ImagePtr& image, const Finding& finding, const Task& task) {
  Task plain = task;
  plain.visible.clear();
  return Minimiser(image, finding, plain).shows(without_plain_accesses(image, finding, task));
}

}  // namespace

Finding minimise(const machine::ImagePtr& image, const Finding& finding, const Task& task) {
  Finding result = Minimiser(image, finding, task).run();
  detect::record_trace(image, task.machine, result, task.visible);
  if (!result.follows_from.empty() && happens_between_operations(image, result, task)) result.follows_from.clear();
  return result;
}

}  // namespace heddle::explore
