#include "server/explore/report.h"

#include <algorithm>
#include <map>
#include <utility>

#include "server/detect/cycles.h"
#include "server/detect/library_waits.h"
#include "server/explore/cycles.h"

namespace heddle::explore {

using machine::Fault;
using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;
using machine::ThreadStatus;

Statistics& Statistics::operator+=(const Statistics& other) {
  executions += other.executions;
  redundant += other.redundant;
  states += other.states;
  events += other.events;
  graphs += other.graphs;
  blocked += other.blocked;
  instructions += other.instructions;
  queries += other.queries;
  tried += other.tried;
  remembered += other.remembered;
  probes += other.probes;
  probe_states += other.probe_states;
  seconds += other.seconds;
  const bool earlier = first_finding.seconds < 0 || other.first_finding.seconds < first_finding.seconds;
  if (other.first_finding.seconds >= 0 && earlier) first_finding = other.first_finding;
  return *this;
}

namespace {

class Mixer {
 public:
  Mixer& add(uint64_t value) {
    hash_ = (hash_ ^ value) * 0x9e3779b97f4a7c15ull;
    hash_ ^= hash_ >> 29;
    return *this;
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0x243f6a8885a308d3ull;
};

bool accesses_memory(const program::Instruction& instruction) {
  switch (instruction.op) {
    case program::Opcode::Load:
    case program::Opcode::Store:
    case program::Opcode::MemoryCopy:
    case program::Opcode::MemorySet:
    case program::Opcode::Call:
    case program::Opcode::CallIndirect: return true;
    default: return false;
  }
}

std::string too_many_threads() { return "more than " + std::to_string(kThreadsMax) + " threads"; }

// What a process does not free is noticed at its end.
bool leaks(const Machine& machine) {
  if (machine.faults().empty()) return false;
  const machine::FaultKind last = machine.faults().back().kind;
  return last == machine::FaultKind::Leak || last == machine::FaultKind::ThreadLeak;
}

}  // namespace

std::vector<machine::CodeAddress> accesses_at(const program::Program& program, machine::CodeAddress at) {
  std::vector<machine::CodeAddress> result;
  if (!at.function.valid() || at.function.value >= program.function_count()) return result;
  const program::Function& function = program.function(at.function);
  if (at.index >= function.code.size()) return result;
  const program::Place& place = program.place(at);
  for (uint32_t n = 0; n < function.code.size(); ++n) {
    if (!accesses_memory(function.code[n])) continue;
    if (n == at.index || (place.line != 0 && program.place({at.function, n}) == place)) {
      result.push_back({at.function, n});
    }
  }
  return result;
}

Reporter::Reporter(const machine::ImagePtr& image, const Task& task, const Listener& listener)
    : image_(image), task_(task), listener_(listener), racy_(task.visible) {
  begin_ = last_progress_ = last_saved_ = std::chrono::steady_clock::now();
  listener.stands([this] { return where_it_stands(); });
}

Reporter::~Reporter() { listener_.stands(nullptr); }

void Reporter::begin(Machine& machine) {
  instructions_before_ = result_.statistics.instructions;
  solver_before_ = {result_.statistics.queries, result_.statistics.tried, result_.statistics.remembered};
  machine_ = &machine;
  machine.make_visible(racy_);
}

void Reporter::count_work() {
  result_.statistics.instructions = instructions_before_ + machine_->instructions();
  const machine::Machine::SolverWork work = machine_->solver_work();
  result_.statistics.queries = solver_before_.queries + work.queries;
  result_.statistics.tried = solver_before_.tried + work.tried;
  result_.statistics.remembered = solver_before_.remembered + work.remembered;
}

void Reporter::add_visible(std::span<const machine::CodeAddress> statements) {
  others_.assign(statements.begin(), statements.end());
  machine_->make_visible(statements);
}

std::vector<machine::CodeAddress> Reporter::visible() const {
  std::vector<machine::CodeAddress> all = racy_;
  all.insert(all.end(), others_.begin(), others_.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

double Reporter::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void Reporter::stop(Completeness why) {
  stop_ = true;
  if (result_.completeness == Completeness::Complete) result_.completeness = why;
}

bool Reporter::check() {
  until_check_ = kStepsPerCheck;
  const auto now = std::chrono::steady_clock::now();
  if (task_.budget.seconds > 0 && std::chrono::duration<double>(now - begin_).count() > task_.budget.seconds) {
    stop(Completeness::TimeLimit);
    return false;
  }
  if (task_.budget.states_max != 0 && result_.statistics.states > task_.budget.states_max) {
    stop(Completeness::ExecutionLimit);
    return false;
  }
  const bool large = small_ && task_.budget.states_small != 0 && result_.statistics.states > task_.budget.states_small;
  if (large || now - last_progress_ > std::chrono::milliseconds(150)) {
    small_ = small_ && !large;
    last_progress_ = now;
    result_.statistics.seconds = seconds();
    count_work();
    if (!listener_.progress(result_.statistics)) {
      stop(Completeness::Cancelled);
      return false;
    }
  }
  return true;
}

bool Reporter::save_due() {
  const auto now = std::chrono::steady_clock::now();
  if (!listener_.saved || std::chrono::duration<double>(now - last_saved_).count() < task_.save_seconds) return false;
  last_saved_ = now;
  return true;
}

void Reporter::begin_part() {
  result_.statistics = {};
  result_.limits.clear();
  new_racy_.clear();
}

void Reporter::note_first_finding() {
  Statistics& all = result_.statistics;
  if (all.first_finding.seconds >= 0) return;
  all.first_finding = {seconds(), all.executions + all.redundant + all.probes, all.states + all.probe_states,
                       instructions_before_ + machine_->instructions()};
}

void Reporter::report(detect::Finding finding, bool brief) {
  if (!seen_ids_.insert(finding.id).second) return;
  note_first_finding();
  if (const detect::Finding* known = listener_.known(finding.id)) {
    finding = *known;
  } else if (task_.minimise && !brief) {
    Task again;
    again.machine = task_.machine;
    again.visible = visible();
    finding = minimise_ ? minimise_(image_, again, finding) : minimise(image_, finding, again);
  }
  listener_.finding(finding);
  if (task_.stop_at_first) stop_ = true;
}

void Reporter::too_large(const std::string& message, uint32_t weight) {
  constexpr uint32_t kEnough = 32;
  too_large_ += weight;
  if (stop_ || some_path_ends_ || too_large_ < kEnough) return;
  const bool alone = result_.limits.size() == 1 && result_.limits[0].message == message;
  if (!alone) return;
  result_.limits[0].message += ": every path that was tried ends there, so the search stopped";
  stop(Completeness::GuestLimit);
}

void Reporter::add_limit(const Machine& machine, const Fault& fault) {
  note_limit(machine, fault);
  const bool threads = fault.kind == machine::FaultKind::Unsupported && fault.message == too_many_threads();
  if (threads || fault.kind == machine::FaultKind::MemoryLimit) too_large(fault.message, 1);
}

void Reporter::note_limit(const Machine& machine, const Fault& fault) {
  for (Limit& limit : result_.limits) {
    if (limit.kind == fault.kind && limit.message == fault.message) {
      ++limit.count;
      return;
    }
  }
  Limit limit;
  limit.kind = fault.kind;
  limit.message = fault.message;
  limit.count = 1;
  const detect::Finding shown = detect::from_fault(machine, fault, {});
  if (!shown.places.empty()) limit.place = shown.places.front();
  result_.limits.push_back(std::move(limit));
}

void Reporter::not_followed(const machine::Operation& operation, const std::string& what) {
  machine::Fault fault;
  fault.kind = machine::FaultKind::Unsupported;
  fault.thread = operation.thread;
  fault.message = what;
  fault.places.push_back({operation.at, operation.thread, "here", {}, {}});
  add_limit(*machine_, fault);
}

void Reporter::waits_for_signal(const machine::Operation& operation) {
  machine::Operation shown = operation;
  if (const auto user = detect::project_call(*machine_, operation.thread, operation.at); user.function.valid())
    shown.at = user;
  not_followed(shown, "waits for what only a signal from outside the program would change");
}

// True: it is no error. A program that only serves others, without any in the settings, was not followed further.
bool Reporter::waits_for_clients(machine::Machine& machine) {
  if (detect::waits_for_clients(machine)) return true;
  const bool any = task_.machine.inputs != nullptr && task_.machine.inputs->clients != 0;
  if (any || !detect::serves_others_only(machine.program())) return false;
  const auto wait = detect::wait_for_client(machine);
  if (!wait) return false;
  machine::Operation shown = *wait;
  if (const auto user = detect::project_call(machine, wait->thread, wait->at); user.function.valid()) shown.at = user;
  not_followed(shown, "waits for a client from outside of the program: set `connections` in .heddle.yaml");
  return true;
}

void Reporter::look_at_faults(Driver& driver, const ScheduleSource& schedule) {
  const Machine& machine = driver.machine();
  const auto& faults = machine.faults();
  for (; driver.faults_seen < faults.size(); ++driver.faults_seen) {
    const Fault& fault = faults[driver.faults_seen];
    if (detect::is_limit(fault.kind)) {
      add_limit(machine, fault);
      continue;
    }
    Mixer key;
    key.add(static_cast<uint64_t>(fault.kind)).add(std::hash<std::string>()(fault.subject));
    for (const machine::FaultPlace& place : fault.places) key.add(place.at.bits()).add(place.user.bits());
    if (fault.kind == machine::FaultKind::DataRace) {
      for (size_t n = 0; n < fault.places.size() && n < 2; ++n) new_racy_.push_back(fault.places[n].at);
    }
    // The other order of a free and a use is no race that the machine sees, since the use fails first.
    if (fault.kind == machine::FaultKind::UseAfterFree || fault.kind == machine::FaultKind::DoubleFree)
      for (const machine::FaultPlace& place : fault.places)
        if (place.thread != fault.thread || place.at == fault.places.front().at) new_racy_.push_back(place.at);
    if (!seen_states_.insert(key.value()).second) continue;
    detect::Finding finding = detect::from_fault(machine, fault, schedule());
    const bool brief = !task_.each_race && places_were_reported(machine, fault, finding);
    report(std::move(finding), brief);
  }
}

// Of a race, as people see it. In the library they are known only with the project's calls that led there.
bool Reporter::places_were_reported(const Machine& machine, const Fault& fault, const detect::Finding& finding) {
  const auto known = [&](const machine::FaultPlace& place) {
    if (place.user.function.valid()) return true;
    return place.at.function.valid() && machine.program().function(place.at.function).in_project;
  };
  if (fault.kind != machine::FaultKind::DataRace || seen_ids_.contains(finding.id)) return false;
  if (!std::all_of(fault.places.begin(), fault.places.end(), known)) return false;
  std::set<std::string> places;
  for (const detect::SourcePlace& place : finding.places)
    places.insert(place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column));
  return !places_of_races_.insert(std::move(places)).second;
}

void Reporter::look_for_cycles(Machine& machine, ThreadId thread, const ScheduleSource& schedule) {
  if (machine.discarded()) return;
  for (const detect::Cycle& cycle : detect::lock_cycles_through(machine, thread)) {
    Mixer key;
    for (const ThreadId at : cycle) {
      const Operation& operation = machine.pending(at);
      key.add(operation.at.bits()).add(operation.object.bits);
    }
    if (seen_states_.insert(key.add(1).value()).second) report(detect::from_lock_cycle(machine, schedule(), cycle));
  }
}

void Reporter::ended(Driver& driver, PathEnd how, const ScheduleSource& schedule) {
  some_path_ends_ |= std::exchange(too_large_seen_, too_large_) == too_large_;
  if (!driver.machine().discarded()) listener_.path_end(driver.machine());
  const bool finished = how == PathEnd::Finished || leaks(driver.machine());
  result_.finishes |= finished && !driver.machine().has_set_aside();
  if (finished)
    if (auto finding = exit_codes_.ended(driver.machine(), schedule)) report(std::move(*finding));
  if (how == PathEnd::Stuck && !driver.machine().discarded() && !driver.machine().has_set_aside()) {
    Machine& machine = driver.machine();
    Mixer key;
    key.add(2);
    bool blocked = false;
    for (uint32_t n = 0; n < machine.thread_count(); ++n) {
      if (machine.status(ThreadId(n)) == ThreadStatus::Ended) continue;
      blocked = true;
      const Operation& operation = machine.pending(ThreadId(n));
      key.add(n).add(operation.at.bits()).add(operation.object.bits).add(static_cast<uint64_t>(operation.kind));
    }
    if (blocked && seen_states_.insert(key.value()).second) {
      if (const auto wait = detect::wait_for_signal(machine))
        waits_for_signal(*wait);
      else if (!waits_for_clients(machine))
        if (auto finding = detect::from_stuck(machine, schedule())) report(std::move(*finding));
    }
  }
  if (task_.budget.executions_max != 0 && result_.statistics.executions >= task_.budget.executions_max) {
    stop(Completeness::ExecutionLimit);
  }
}

void Reporter::compare_exit_code() {
  const std::optional<std::string> inputs = exit_codes_.only_fails_with();
  if (!inputs) return;
  const std::optional<detect::ProcessEnd> end = find_success(image_, task_, *inputs);
  if (!end) return;
  if (auto finding = exit_codes_.succeeds(*inputs, *end)) report(std::move(*finding));
}

bool Reporter::cycle_closed(Driver& driver, const ScheduleSource& schedule) {
  const uint64_t state = cycle_state(driver.machine());
  if (non_progress_states_.count(state)) return true;
  if (progress_states_.count(state)) return false;
  auto rounds = non_progress_cycles(driver.machine(), result_.cycles_undecided);
  if (!rounds) {
    progress_states_.insert(state);
    return false;
  }
  non_progress_states_.merge(rounds->states);
  for (const auto& waits : rounds->waits)
    if (const auto wait = detect::wait_for_signal(driver.machine(), waits))
      waits_for_signal(*wait);
    else if (!waits_for_clients(driver.machine()))
      report(detect::from_rounds(driver.machine(), waits, until_non_progress(schedule(), waits)));
  return true;
}

// To where no choice leads out any more and a thread stands at an operation of its loop.
detect::Schedule Reporter::until_non_progress(const detect::Schedule& schedule,
                                              const std::vector<machine::Operation>& waits) const {
  Machine machine(image_, task_.machine);
  machine.make_visible(visible());
  Driver driver(machine);
  detect::Schedule result;
  for (const detect::Choice& choice : schedule) {
    if (machine.outcome() != machine::Outcome::Running) break;
    const bool there = std::any_of(waits.begin(), waits.end(), [&](const machine::Operation& wait) {
      const ThreadId thread = wait.thread;
      if (thread.value >= machine.thread_count() || !machine.enabled(thread)) return false;
      return machine.pending(thread).kind == wait.kind && machine.pending(thread).object == wait.object;
    });
    bool undecided = false;
    if (there && non_progress_cycles(machine, undecided)) break;
    driver.perform(choice.thread, choice.alternative);
    result.push_back(choice);
  }
  return result;
}

void Reporter::beyond(Beyond what, const ScheduleSource& schedule) {
  constexpr uint32_t kWeightOfLong = 8;
  const bool threads = what == Beyond::Threads;
  const std::string message = threads ? too_many_threads() + " on one path, start fewer"
                                      : "more than " + std::to_string(kStepsMax) +
                                            " operations on one path, fewer rounds or threads make it shorter";
  const auto known = std::find_if(result_.limits.begin(), result_.limits.end(),
                                  [&](const Limit& limit) { return limit.message.starts_with(message); });
  if (known != result_.limits.end())
    ++known->count;
  else
    result_.limits.push_back({threads ? machine::FaultKind::Unsupported : machine::FaultKind::EndlessLoop, message,
                              threads || schedule ? where_it_went_beyond(threads, schedule) : detect::SourcePlace{},
                              1});
  too_large(message, threads ? 1 : kWeightOfLong);
  too_large_seen_ = too_large_;  // nothing else is said of this path's end
}

bool Reporter::ended_at_once(Driver& driver) {
  const machine::Outcome outcome = driver.outcome();
  if (outcome == machine::Outcome::Running) return false;
  const ScheduleSource nothing = [] { return detect::Schedule{}; };
  ++result_.statistics.executions;
  look_at_faults(driver, nothing);
  ended(driver, outcome == machine::Outcome::Finished ? PathEnd::Finished : PathEnd::Faulted, nothing);
  return true;
}

std::vector<machine::CodeAddress> Reporter::take_new_racy() {
  std::vector<machine::CodeAddress> fresh;
  new_racy_.insert(new_racy_.end(), machine_->raced_with_reported().begin(), machine_->raced_with_reported().end());
  for (const machine::CodeAddress racy : new_racy_) {
    for (const machine::CodeAddress at : accesses_at(machine_->program(), racy)) {
      if (std::find(racy_.begin(), racy_.end(), at) != racy_.end()) continue;
      racy_.push_back(at);
      fresh.push_back(at);
    }
  }
  new_racy_.clear();
  return fresh;
}

// What was not looked at of unknown inputs.
void Reporter::add_limits_of_inputs() {
  const auto add = [this](std::string message, detect::SourcePlace place) {
    for (const Limit& limit : result_.limits)
      if (limit.message == message && limit.place == place) return;
    result_.limits.push_back({machine::FaultKind::Unsupported, std::move(message), std::move(place), 1});
  };
  const program::Program& program = machine_->program();
  for (const machine::CodeAddress at : machine_->made_concrete()) {
    if (!at.function.valid()) continue;
    const program::Place& place = program.place(at);
    add(task_.mode == Mode::Graphs ? "needs a number where the value is unknown, which execution graphs leave out "
                                     "(`unknown-data: sampled` has "
                                     "a few)"
                                   : "tries only the smallest of the unknown values that this operation is given",
        {program.file_of(at), place.line, place.column, program.function(at.function).display_name, {}, {}});
  }
  if (machine_->inputs_undecided()) add("leaves out values of unknown inputs for which Z3 reached its bound", {});
}

const Result& Reporter::finish() {
  result_.statistics.seconds = seconds();
  if (machine_ != nullptr) {
    count_work();
    add_limits_of_inputs();
    result_.pauses_bounded |= machine_->pauses_bounded();
    result_.sleeps_for_ever |= machine_->sleeps_for_ever();
    result_.looks_unordered |= machine_->looks_unordered();
    result_.handles_signals |= machine_->handles_signals();
    result_.timers_repeat |= machine_->timers_repeat();
    result_.signals_wait |= machine_->signals_wait();
    result_.runs_long |= machine_->runs_long();
    result_.threads_met = std::max(result_.threads_met, machine_->threads_met());
    result_.runs_project_functions |= machine_->runs_project_functions();
  }
  if (!result_.limits.empty() && result_.completeness == Completeness::Complete) {
    result_.completeness = Completeness::GuestLimit;
  }
  result_.racy = racy_;
  std::sort(result_.racy.begin(), result_.racy.end());
  return result_;
}

}  // namespace heddle::explore
