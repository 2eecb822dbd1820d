#include "server/explore/reordered.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include "server/detect/cycles.h"
#include "server/detect/order.h"

namespace heddle::explore {

using detect::Choice;
using detect::EventNumber;
using detect::Finding;
using detect::Schedule;
using machine::Machine;
using machine::Outcome;
using machine::ThreadId;
using machine::ThreadStatus;

namespace {

constexpr size_t kStepsMost = 100'000;

using Clock = std::chrono::steady_clock;

// For each choice of a schedule, which earlier ones happen directly before it.
class Order {
 public:
  void performed(const Machine& machine, ThreadId thread) {
    const auto number = static_cast<uint32_t>(before_.size());
    std::vector<uint32_t>& mine = before_.emplace_back();
    if (const auto last = last_.find(thread.value); last != last_.end()) mine.push_back(last->second);
    for (const EventNumber& event : direct_.performed(machine, thread))
      if (const auto at = number_of_.find(event); at != number_of_.end()) mine.push_back(at->second);
    last_[thread.value] = number;
    number_of_[{thread, machine.event_count(thread)}] = number;
  }

  // The choices that have to come before this one, and itself.
  std::vector<bool> past(size_t choice) const { return closed({static_cast<uint32_t>(choice)}); }

  // Those that have to come before what the thread would do next.
  std::vector<bool> past_of_next(ThreadId thread) const {
    const auto last = last_.find(thread.value);
    return closed(last == last_.end() ? std::vector<uint32_t>() : std::vector<uint32_t>{last->second});
  }

 private:
  std::vector<bool> closed(std::vector<uint32_t> open) const {
    std::vector<bool> out(before_.size());
    while (!open.empty()) {
      const uint32_t at = open.back();
      open.pop_back();
      if (out[at]) continue;
      out[at] = true;
      open.insert(open.end(), before_[at].begin(), before_[at].end());
    }
    return out;
  }

  detect::DirectOrder direct_;
  std::vector<std::vector<uint32_t>> before_;
  std::map<uint32_t, uint32_t> last_;
  std::map<EventNumber, uint32_t> number_of_;
};

// One run of a program along a schedule.
class Run {
 public:
  Run(const machine::ImagePtr& image, const Task& task) : machine_(image, task.machine) {
    machine_.make_visible(task.visible);
  }

  Machine& machine() { return machine_; }
  const Schedule& performed() const { return performed_; }
  const std::optional<Finding>& found() const { return found_; }
  bool on() const { return !found_ && machine_.outcome() == Outcome::Running; }
  bool can(ThreadId thread) { return on() && thread.value < machine_.thread_count() && machine_.enabled(thread); }

  // REQUIRES: can(choice.thread)
  void perform(Choice choice) {
    choice.alternative = std::min(choice.alternative, machine_.pending(choice.thread).alternatives - 1);
    performed_.push_back(choice);
    detect::perform(machine_, choice);
    look_at_faults();
    if (!found_ && machine_.outcome() == Outcome::Running && machine_.status(choice.thread) == ThreadStatus::Blocked) {
      const auto cycles = detect::lock_cycles_through(machine_, choice.thread);
      if (!cycles.empty()) found_ = detect::from_lock_cycle(machine_, performed_, cycles.front());
    }
  }

  // Races seen until then belong to the interleaving, and end no path.
  void go_through_races(bool through) { through_races_ = through; }
  // The first race since then.
  const std::optional<machine::Fault>& race() const { return race_; }
  void forget_race() { race_.reset(); }

  void follow(const Schedule& schedule, Clock::time_point until) {
    for (const Choice& choice : schedule) {
      if (!on() || Clock::now() > until) return;
      if (can(choice.thread)) perform(choice);
    }
  }

  // False: a limit.
  bool proceed(Clock::time_point until) {
    while (on()) {
      const ThreadId next = without_switch(performed_.empty() ? ThreadId{} : performed_.back().thread);
      if (!next.valid()) break;
      if (performed_.size() >= kStepsMost || Clock::now() > until) return false;
      perform({next, 0});
    }
    if (on()) {
      if (auto stuck = detect::from_stuck(machine_, performed_)) found_ = std::move(*stuck);
    }
    return limit_.empty();
  }
  const std::string& limit() const { return limit_; }

 private:
  void look_at_faults() {
    for (; seen_ < machine_.faults().size() && !found_; ++seen_) {
      const machine::Fault& fault = machine_.faults()[seen_];
      if (fault.kind == machine::FaultKind::DataRace && !race_) race_ = fault;
      if (fault.kind == machine::FaultKind::DataRace && through_races_) continue;
      if (detect::is_limit(fault.kind))
        limit_ = fault.message;
      else
        found_ = detect::from_fault(machine_, fault, performed_);
    }
  }

  ThreadId without_switch(ThreadId running) {
    if (running.valid() && can(running)) return running;
    for (uint32_t thread = 0; thread < machine_.thread_count(); ++thread)
      if (machine_.enabled(ThreadId(thread))) return ThreadId(thread);
    return {};
  }

  Machine machine_;
  Schedule performed_;
  std::optional<Finding> found_;
  std::string limit_;
  std::optional<machine::Fault> race_;
  bool through_races_ = false;
  size_t seen_ = 0;
};

bool touches(const machine::Operation& operation, const machine::Fault& race) {
  return operation.object.bits < race.address.bits + race.size &&
         race.address.bits < operation.object.bits + operation.size;
}

bool is_plain(const machine::Operation& operation) {
  return operation.kind == machine::OperationKind::Read || operation.kind == machine::OperationKind::Write;
}

// The statements of the plain accesses to the object of the race that a schedule's last choice leads to; none: to none.
std::vector<machine::CodeAddress> racing_statements(const machine::ImagePtr& image, const Schedule& schedule,
                                                    Task task) {
  task.machine.record_plain_accesses = true;
  Run run(image, task);
  run.go_through_races(true);
  for (const Choice& choice : schedule) {
    if (!run.can(choice.thread)) break;
    if (&choice == &schedule.back()) run.forget_race();
    run.perform(choice);
  }
  std::vector<machine::CodeAddress> out;
  if (!run.race()) return out;
  for (const machine::FaultPlace& place : run.race()->places) out.push_back(place.at);
  for (const machine::Event& event : run.machine().events())
    if (is_plain(event.operation) && touches(event.operation, *run.race())) out.push_back(event.operation.at);
  return out;
}

// A schedule with more choices: those accesses, too.
class Refined {
 public:
  // `task` has the statements among its visible ones.
  Refined(const machine::ImagePtr& image, const Schedule& coarse, const Task& task,
          std::vector<machine::CodeAddress> statements, std::vector<machine::CodeAddress> coarse_visible)
      : run_(image, task), statements_(std::move(statements)), coarse_(std::move(coarse_visible)) {
    run_.go_through_races(true);
    pass_accesses();
    for (const Choice& choice : coarse) {
      begins_.push_back(run_.performed().size());
      if (&choice == &coarse.back()) race_.reset();
      if (!run_.can(choice.thread)) return;
      perform(choice);
      pass_accesses();
    }
    begins_.push_back(run_.performed().size());
  }

  const Schedule& schedule() const { return run_.performed(); }
  // The accesses in a choice of the coarse schedule.
  std::vector<size_t> accesses(size_t coarse) const {
    std::vector<size_t> out;
    if (coarse + 1 >= begins_.size()) return out;
    for (const size_t access : accesses_)
      if (access >= begins_[coarse] && access < begins_[coarse + 1]) out.push_back(access);
    return out;
  }
  // The second access of the race to which the last choice leads.
  std::optional<size_t> race() const { return race_; }

 private:
  bool is_access(ThreadId thread) {
    const machine::Operation& next = run_.machine().pending(thread);
    return is_plain(next) && std::find(statements_.begin(), statements_.end(), next.at) != statements_.end();
  }

  void perform(Choice choice) {
    const size_t races = run_.machine().faults().size();
    if (is_access(choice.thread)) accesses_.push_back(run_.performed().size());
    run_.perform(choice);
    if (run_.machine().faults().size() > races && !race_) race_ = run_.performed().size() - 1;
  }

  // Where the coarse schedule does not stop.
  void pass_accesses() {
    for (bool again = true; again;) {
      again = false;
      for (uint32_t thread = 0; thread < run_.machine().thread_count(); ++thread)
        while (run_.can(ThreadId(thread)) && is_passed(ThreadId(thread))) {
          perform({ThreadId(thread), 0});
          again = true;
        }
    }
  }
  bool is_passed(ThreadId thread) { return is_access(thread) && !coarse_visible(thread); }
  bool coarse_visible(ThreadId thread) {
    return std::find(coarse_.begin(), coarse_.end(), run_.machine().pending(thread).at) != coarse_.end();
  }

  Run run_;
  std::vector<machine::CodeAddress> statements_, coarse_;
  std::vector<size_t> begins_, accesses_;
  std::optional<size_t> race_;
};

class Reordering {
 public:
  Reordering(const machine::ImagePtr& image, const Schedule& schedule, const Move& move, const Task& task)
      : image_(image), schedule_(schedule), move_(move), task_(task) {}

  Finding run() {
    if (std::string problem = find_past(); !problem.empty()) return without(std::move(problem));
    auto [first, moved] = attempt(true);
    if (moved == 0) return without("the program does not come to that step in this order");
    if (first->found()) return reported(*first, moved);
    auto [second, again] = attempt(false);
    return again != 0 && second->found() ? reported(*second, again) : reported(*first, moved);
  }

  uint64_t instructions() const { return instructions_; }

 private:
  static Finding without(std::string problem) {
    Finding out;
    out.message = std::move(problem);
    return out;
  }

  std::string find_past() {
    if (move_.before >= Move::kNext) return "what waits at the end is not done: nothing can come before it there";
    if (move_.choice >= Move::kNext) {
      schedule_.push_back({ThreadId(static_cast<uint32_t>(move_.choice - Move::kNext)), 0});
      move_.choice = schedule_.size() - 1;
      is_next_ = true;
    }
    if (move_.choice >= schedule_.size() || move_.before > move_.choice)
      return "the steps are not in the schedule, one after the other";
    if (std::any_of(schedule_.begin(), schedule_.end(), [](const Choice& choice) { return choice.found.has_value(); }))
      return "only what happens before what is known where a weaker memory model chose the values";
    if (std::string problem = order_choices(); !problem.empty()) return problem;
    if (!past_[move_.before]) return "";
    // A thread that was just created runs within the choice of its creator.
    return !is_next_ && part_accesses() ? "" : "the one happens before the other";
  }

  std::string order_choices() {
    Run run(image_, task_);
    run.go_through_races(true);
    Order order;
    const size_t end = is_next_ ? move_.choice : move_.choice + 1;
    for (size_t n = 0; n < end; ++n) {
      if (!run.can(schedule_[n].thread)) return "the program is not the one that the interleaving was recorded for";
      run.perform(schedule_[n]);
      order.performed(run.machine(), schedule_[n].thread);
      if (!run.on() && n + 1 < end) return "the interleaving ends before that step";
    }
    instructions_ += run.machine().instructions();
    past_ = is_next_ ? order.past_of_next(schedule_[move_.choice].thread) : order.past(move_.choice);
    past_.resize(schedule_.size());
    return "";
  }

  // The two choices are ordered; accesses of a race in them need not be. False: there are none, or they are.
  bool part_accesses() {
    const std::vector<machine::CodeAddress> statements = racing_statements(image_, schedule_, task_);
    if (statements.empty()) return false;
    const std::vector<machine::CodeAddress> coarse = task_.visible;
    task_.visible.insert(task_.visible.end(), statements.begin(), statements.end());
    std::sort(task_.visible.begin(), task_.visible.end());
    task_.visible.erase(std::unique(task_.visible.begin(), task_.visible.end()), task_.visible.end());
    const Refined refined(image_, schedule_, task_, statements, coarse);
    const std::vector<size_t> later = refined.accesses(move_.choice), earlier = refined.accesses(move_.before);
    if (later.empty()) return false;
    const bool has_race = refined.race() && std::find(later.begin(), later.end(), *refined.race()) != later.end();
    schedule_ = refined.schedule();
    move_.choice = has_race ? *refined.race() : later.back();
    if (!order_choices().empty()) return false;
    for (const size_t access : earlier) {
      if (access >= move_.choice || past_[access]) continue;
      move_.before = access;
      return true;
    }
    return false;
  }

  // What moves, at its new place, then the rest: as it was, or only when the moved thread can go no further. Also which
  // of the choices performed is the moved one, from 1; 0: it was not reached.
  std::pair<std::unique_ptr<Run>, uint32_t> attempt(bool as_recorded) {
    auto run = std::make_unique<Run>(image_, task_);
    run->go_through_races(true);
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(std::max(task_.budget.seconds, 0.05) / 3));
    Schedule before(schedule_.begin(), schedule_.begin() + static_cast<std::ptrdiff_t>(move_.before)), rest;
    for (size_t n = move_.before; n < move_.choice; ++n) (past_[n] ? before : rest).push_back(schedule_[n]);
    rest.insert(rest.end(), schedule_.begin() + static_cast<std::ptrdiff_t>(move_.choice) + 1, schedule_.end());
    for (const Choice& choice : before) {
      if (!run->can(choice.thread)) return {std::move(run), 0};
      run->perform(choice);
    }
    run->go_through_races(false);
    const Choice& moved = schedule_[move_.choice];
    if (!run->can(moved.thread)) return {std::move(run), 0};
    run->perform(moved);
    const auto at = static_cast<uint32_t>(run->performed().size());
    if (as_recorded) run->follow(rest, until);
    complete_ = run->proceed(until);
    instructions_ += run->machine().instructions();
    return {std::move(run), at};
  }

  Finding reported(Run& run, uint32_t moved) {
    Finding out;
    if (run.found()) {
      out = *run.found();
    } else if (!run.limit().empty()) {
      out.message = "no error until here, where the path ends: " + run.limit();
    } else if (run.on() || !complete_) {
      out.message = "no error until here; the run is longer than what was looked at";
    } else {
      out.message = "no error: the program runs to its end";
    }
    out.schedule = run.performed();
    out.moved = moved;
    detect::record_trace(image_, task_.machine, out, task_.visible);
    return out;
  }

  const machine::ImagePtr& image_;
  Schedule schedule_;
  Move move_;
  Task task_;
  bool is_next_ = false;  // what moves is not in the schedule that was given
  std::vector<bool> past_;
  bool complete_ = true;
  uint64_t instructions_ = 0;
};

}  // namespace

Result explore_reordered(const machine::ImagePtr& image, const Schedule& schedule, const Move& move, const Task& task,
                         const Listener& listener) {
  Result result;
  const auto begin = Clock::now();
  Reordering reordering(image, schedule, move, task);
  const Finding finding = reordering.run();
  result.statistics.executions = finding.schedule.empty() ? 0 : 1;
  result.statistics.instructions = reordering.instructions();
  result.statistics.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  listener.finding(finding);
  return result;
}

}  // namespace heddle::explore
