#include "server/explore/graph_machine.h"

#include <algorithm>

namespace heddle::explore {

using graph::EventId;
using graph::Kind;
using graph::Label;
using graph::LocationId;
using graph::Order;
using graph::Part;
using machine::Operation;
using machine::OperationKind;
using machine::Outcome;
using machine::ThreadId;
using machine::ThreadStatus;

namespace {

Order order_of(machine::MemoryOrder order) {
  switch (order) {
    case machine::MemoryOrder::Acquire: return Order::Acquire;
    case machine::MemoryOrder::Release: return Order::Release;
    case machine::MemoryOrder::AcquireRelease: return Order::AcquireRelease;
    case machine::MemoryOrder::SequentiallyConsistent: return Order::SequentiallyConsistent;
    default: return Order::Relaxed;  // plain accesses that are events, too
  }
}

Order order_of_object(OperationKind kind) {
  switch (kind) {
    case OperationKind::Lock:
    case OperationKind::TryLock:
    case OperationKind::TimedLock:
    case OperationKind::Wake: return Order::Acquire;
    case OperationKind::Unlock:
    case OperationKind::Wait: return Order::Release;
    case OperationKind::Signal:  // the mutex orders
    case OperationKind::Broadcast: return Order::Relaxed;
    default: return Order::AcquireRelease;
  }
}

bool waits(OperationKind kind) { return kind == OperationKind::Wait || kind == OperationKind::Wake; }

}  // namespace

uint64_t Joined::root(uint64_t address) const {
  for (auto up = up_.find(address); up != up_.end(); up = up_.find(address)) address = up->second;
  return address;
}

bool Joined::join(uint64_t one, uint64_t other) {
  const uint64_t from = root(one), to = root(other);
  if (from == to) return false;
  up_[from] = to;
  several_.insert(to);
  return true;
}

GraphMachine::GraphMachine(Driver& driver, Reporter& reporter, uint32_t threads, Joined& joined)
    : driver_(driver),
      machine_(driver.machine()),
      reporter_(reporter),
      threads_(threads),
      stores_(threads),
      joined_(joined) {
  state_.threads.resize(threads);
  state_.threads[0].begun = true;
}

GraphMachine::Form GraphMachine::form(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::Read: return operation.size <= 8 ? Form::Load : Form::Unknown;
    case OperationKind::Write: return operation.size <= 8 ? Form::Store : Form::Unknown;
    case OperationKind::AtomicRead:
    case OperationKind::AtomicWrite:
    case OperationKind::AtomicUpdate:
      if (operation.size > 8 || !machine_.stands_at_instruction(operation.thread)) return Form::Unknown;
      return operation.kind == OperationKind::AtomicRead    ? Form::Load
             : operation.kind == OperationKind::AtomicWrite ? Form::Store
                                                            : Form::Update;
    case OperationKind::Fence: return Form::Fence;
    case OperationKind::Lock:
    case OperationKind::TryLock:
    case OperationKind::TimedLock:
    case OperationKind::Unlock:
    case OperationKind::ReadLock:
    case OperationKind::TryReadLock:
    case OperationKind::TimedReadLock:
    case OperationKind::WriteLock:
    case OperationKind::TryWriteLock:
    case OperationKind::TimedWriteLock:
    case OperationKind::ReadWriteUnlock:
    case OperationKind::Signal:
    case OperationKind::Broadcast:
    case OperationKind::SemaphoreWait:
    case OperationKind::SemaphoreTryWait:
    case OperationKind::SemaphoreTimedWait:
    case OperationKind::SemaphorePost:
    case OperationKind::SemaphoreRead:
    case OperationKind::BarrierArrive:
    case OperationKind::BarrierLeave:
    case OperationKind::OnceEnter:
    case OperationKind::OnceLeave:
    case OperationKind::Initialise:
    case OperationKind::Destroy: return operation.second.bits == 0 ? Form::Object : Form::Unknown;
    case OperationKind::Wait:
    case OperationKind::Wake: return Form::Object;
    case OperationKind::DataChoice: return operation.second.bits == 0 ? Form::Choice : Form::Unknown;
    case OperationKind::Join: return operation.object.bits == machine::kAllOthers ? Form::Unknown : Form::Join;
    case OperationKind::Create:
    case OperationKind::Detach:
    case OperationKind::ThreadExit:
    case OperationKind::ProcessExit:
    case OperationKind::Yield: return Form::Other;
    default: return Form::Unknown;
  }
}

// Looks at the operation before it has events. True: there are none for it, and the thread ends here.
bool GraphMachine::not_followed(uint32_t thread, const Operation& operation) {
  std::string what;
  const Form as = form(operation);
  if (as == Form::Unknown || operation.section != machine::AtomicSection::None || operation.cancellable)
    what = "an operation that has no place in execution graphs";
  if (operation.kind == OperationKind::DataChoice && as == Form::Unknown)
    what =
        "an unknown value that stands for every one, which execution graphs leave out (`unknown-data: sampled` has a "
        "few)";
  if (operation.alternatives > 1 && as != Form::Object && as != Form::Choice)
    what = "an operation with several outcomes, which execution graphs leave out";
  if (what.empty() && (as == Form::Load || as == Form::Store || as == Form::Update)) {
    const uint64_t begin = operation.object.bits, end = begin + operation.size;
    for (const Location& other : locations_)
      if (other.size != 0 && other.at.bits < end && begin < other.at.bits + other.size &&
          (other.at.bits != begin || other.size != operation.size))
        what = "accesses of different sizes to one address, which execution graphs leave out";
    const auto known = numbers_.find(begin * 2);
    if (what.empty() && known != numbers_.end() && known->second < state_.locations.size()) {
      const LocationState& location = state_.locations[known->second];
      if (location.known && location.shown != machine_.value_at(operation.object, operation.size))
        what = "an atomic object that was also written as plain memory, which execution graphs leave out";
    }
  }
  if (what.empty()) return false;
  reporter_.not_followed(operation, what);
  state_.threads[thread].ended = true;
  return true;
}

// A condition variable and a mutex that were not known to belong together: the search begins anew with that.
bool GraphMachine::joins_more(const Operation& operation) {
  if (!waits(operation.kind) || !joined_.join(operation.object.bits, operation.second.bits)) return false;
  stop_ = joined_more_ = true;
  return true;
}

Turn GraphMachine::turn(uint32_t thread) {
  if (stop_ || thread >= machine_.thread_count()) return Turn::Ended;
  ThreadState& t = state_.threads[thread];
  const ThreadStatus status = machine_.status(ThreadId(thread));
  if (status == ThreadStatus::Ended || t.ended) return Turn::Ended;
  if (t.half == Half::Blocked) return Turn::Waiting;
  const Operation& operation = machine_.pending(ThreadId(thread));
  const bool blocked = status == ThreadStatus::Blocked;
  if (blocked && operation.kind == OperationKind::Yield && !operation.spinning) return Turn::Ended;  // it failed
  if (machine_.outcome() != Outcome::Running) {
    // NodeSummary an error, a lock may still be tried: an earlier place in the lock's order revisits its holder.
    const bool tries = machine_.outcome() == Outcome::Faulted && form(operation) == Form::Object;
    return !blocked ? Turn::Ended : tries ? Turn::Ready : Turn::Waiting;
  }
  if (!t.begun) return Turn::Ready;
  if (machine_.waits_for_store(ThreadId(thread))) return Turn::Waiting;
  if (t.half == Half::None && (not_followed(thread, operation) || joins_more(operation))) return Turn::Ended;
  return ready(thread, operation) ? Turn::Ready : Turn::Waiting;
}

bool GraphMachine::ready(uint32_t thread, const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::ProcessExit:
      if (!others_ready(thread)) return true;
      reporter_.not_followed(operation, "the end of the process while other threads can act: they act first here");
      return false;
    case OperationKind::Join: return operation.alternatives != 0;
    default: return form(operation) == Form::Object || operation.alternatives != 0;
  }
}

// The process ends only when no other thread can act. What an earlier end would show is not explored.
bool GraphMachine::others_ready(uint32_t thread) {
  for (uint32_t n = 0; n < threads_ && n < machine_.thread_count(); ++n) {
    if (n == thread || machine_.status(ThreadId(n)) == ThreadStatus::Ended) continue;
    if (machine_.pending(ThreadId(n)).kind != OperationKind::ProcessExit && turn(n) == Turn::Ready) return true;
  }
  return false;
}

LocationId GraphMachine::location_of(const Operation& operation, bool object) {
  const uint64_t address = object ? joined_.root(operation.object.bits) : operation.object.bits;
  const auto [found, fresh] = numbers_.try_emplace(address * 2 + object, locations_.size());
  if (fresh) locations_.push_back({operation.object, object ? 0 : operation.size});
  return {found->second};
}

GraphMachine::LocationState& GraphMachine::prepared(LocationId id) {
  if (state_.locations.size() <= id.value) state_.locations.resize(id.value + 1);
  LocationState& location = state_.locations[id.value];
  if (location.known) return location;
  location.known = true;
  if (locations_[id.value].size != 0)
    location.initial = location.shown = machine_.value_at(locations_[id.value].at, locations_[id.value].size);
  return location;
}

Label GraphMachine::pending(uint32_t thread) {
  const ThreadState& t = state_.threads[thread];
  Label label;
  label.kind = Kind::Sync;
  label.source = graph::kInitial;
  if (!t.begun) {
    label.source = t.creation;
    return label;
  }
  const Operation& operation = machine_.pending(ThreadId(thread));
  const Form as = form(operation);
  if (as == Form::Join) {
    const auto other = static_cast<uint32_t>(operation.object.bits);
    if (other < threads_ && other != thread && state_.threads[other].length > 0)
      label.source = EventId::make(other, state_.threads[other].length - 1);
    return label;
  }
  if (as == Form::Other || as == Form::Unknown) return label;
  if (as == Form::Choice) {  // a write that no read sees
    label.kind = Kind::Write;
    label.order = Order::Relaxed;
    label.location = choices_of(thread);
    return label;
  }
  label.order = as == Form::Object ? order_of_object(operation.kind) : order_of(operation.order);
  label.kind = as == Form::Fence ? Kind::Fence : Kind::Read;
  if (as == Form::Fence) return label;
  label.location = location_of(operation, as == Form::Object);
  if (as == Form::Store || t.half == Half::Reading) label.kind = Kind::Write;
  if (as == Form::Update || as == Form::Object) label.part = Part::Update;
  label.continues_own = operation.kind == OperationKind::AtomicWrite && machine_.continues_sequence(ThreadId(thread));
  return label;
}

Label GraphMachine::pending_reading(uint32_t thread, EventId from) {
  Label label = pending(thread);
  const Operation& operation = machine_.pending(ThreadId(thread));
  const Form as = form(operation);
  if (as == Form::Object && prepared(label.location).newest == from && operation.alternatives == 0)
    label.part = Part::None;  // blocked in this state of the object
  if (as == Form::Object && refuses(thread, operation, label.location, from)) {
    label.part = Part::Failed;
    label.order = Order::Relaxed;
  }
  if (as == Form::Update && machine_.fails_with(ThreadId(thread), store(label.location, from).value)) {
    label.part = Part::Failed;
    label.order = order_of(machine_.failure_order(ThreadId(thread)));
  }
  return label;
}

uint32_t GraphMachine::outcomes(uint32_t thread) {
  const Operation& operation = machine_.pending(ThreadId(thread));
  const Form as = form(operation);
  return as == Form::Object || as == Form::Choice ? operation.alternatives : 1;
}

// A thread that waits for an object continues as soon as it may.
bool GraphMachine::may_wait(const graph::ExecutionGraph& graph, uint32_t thread) {
  if (state_.threads[thread].half != Half::Blocked) return true;
  const graph::Event& read = graph.last_of(thread);
  return graph.place_of(read.from) == graph.coherence(read.label.location).size();
}

// Trying a lock fails if another thread holds it in the state that it finds. It may find an older one, and orders
// nothing then (C17 7.26.4.5, C++20 [thread.mutex.requirements]).
bool GraphMachine::refuses(uint32_t thread, const Operation& operation, LocationId location, EventId from) {
  if (operation.kind != OperationKind::TryLock && operation.kind != OperationKind::TimedLock) return false;
  if (operation.nested) return false;
  if (prepared(location).newest == from) return machine_.lock_owner(operation.object).valid();
  if (joined_.shares(joined_.root(operation.object.bits))) return false;
  const uint64_t owner = store(location, from).value;
  return owner != 0 && owner != uint64_t{thread} + 1;
}

LocationId GraphMachine::choices_of(uint32_t thread) {
  const auto [found, fresh] = numbers_.try_emplace(~uint64_t{thread}, locations_.size());
  if (fresh) locations_.push_back({{}, 0});
  return {found->second};
}

GraphMachine::Store GraphMachine::store(LocationId location, EventId id) {
  if (id == graph::kInitial) return {prepared(location).initial, {}};
  return stores_[id.thread()][id.index()];
}

// The machine's memory holds the value stored last; the access finds the one of its store.
std::optional<uint64_t> GraphMachine::show(LocationId id, EventId from) {
  const Location& location = locations_[id.value];
  const Store seen = store(id, from);
  machine_.show_view(location.at, location.size, seen.view);
  if (seen.value == machine_.value_at(location.at, location.size)) return std::nullopt;
  return seen.value;
}

void GraphMachine::step(uint32_t thread, std::optional<uint64_t> found, uint32_t outcome) {
  state_.threads[thread].half = Half::None;
  schedule_.push_back({ThreadId(thread), outcome, found});
  ++state_.schedule;
  ++reporter_.statistics().events;
  ++reporter_.statistics().states;
  driver_.perform(schedule_.back());
  if (!reporter_.stepped(driver_, ThreadId(thread), [this] { return schedule_; })) stop_ = true;
  if (machine_.thread_count() > threads_) stop_ = too_many_ = true;
}

void GraphMachine::perform(uint32_t thread, EventId from, uint32_t outcome) {
  ThreadState& t = state_.threads[thread];
  const EventId id = EventId::make(thread, t.length++);
  Store made;
  const bool begins = !t.begun;
  t.begun = true;
  if (!begins) {
    const Operation operation = machine_.pending(ThreadId(thread));
    switch (form(operation)) {
      case Form::Load:
      case Form::Store:
      case Form::Update: perform_access(thread, operation, from, made); break;
      case Form::Object: perform_object(thread, operation, from, outcome, made); break;
      default: step(thread, std::nullopt, outcome);
    }
    const auto created = static_cast<uint32_t>(operation.object.bits);
    if (operation.kind == OperationKind::Create && created < threads_) state_.threads[created].creation = id;
  }
  stores_[thread].push_back(made);
}

void GraphMachine::perform_access(uint32_t thread, const Operation& operation, EventId from, Store& made) {
  ThreadState& t = state_.threads[thread];
  const Form as = form(operation);
  const LocationId location = location_of(operation, false);
  prepared(location);
  if (as == Form::Update && t.half == Half::None &&
      !machine_.fails_with(ThreadId(thread), store(location, from).value)) {
    t.half = Half::Reading;
    t.from = from;
    return;
  }
  std::optional<uint64_t> found;
  if (as != Form::Store) found = show(location, t.half == Half::Reading ? t.from : from);
  step(thread, found);
  made = {machine_.value_at(operation.object, operation.size), {}};
  if (as != Form::Load) made.view = machine_.view_of(operation.object, operation.size);
  prepared(location).shown = made.value;
}

void GraphMachine::perform_object(uint32_t thread, const Operation& operation, EventId from, uint32_t outcome,
                                  Store& made) {
  ThreadState& t = state_.threads[thread];
  const LocationId location = location_of(operation, true);
  const bool newest = prepared(location).newest == from;
  if (t.half == Half::None && refuses(thread, operation, location, from)) {
    step(thread, newest ? std::nullopt : std::optional<uint64_t>(1));
  } else if (t.half == Half::None) {
    t.half = newest && operation.alternatives == 0 ? Half::Blocked : Half::Reading;
    t.from = from;
  } else {
    const EventId id = EventId::make(thread, t.length - 1);
    step(thread, std::nullopt, outcome);
    const ThreadId owner = machine_.lock_owner(operation.object);
    made.value = owner.valid() ? uint64_t{owner.value} + 1 : 0;
    prepared(location).newest = id;
  }
}

size_t GraphMachine::mark() {
  marks_.push_back({driver_.mark(), state_});
  return marks_.size() - 1;
}

void GraphMachine::rewind(size_t mark) {
  driver_.rewind(marks_[mark].machine);
  state_ = std::move(marks_[mark].state);
  marks_.resize(mark);
  for (uint32_t n = 0; n < threads_; ++n) stores_[n].resize(state_.threads[n].length);
  schedule_.resize(state_.schedule);
}

// Whether the last reads of a thread that spins saw the newest stores: then nothing comes that would end its wait.
bool GraphMachine::saw_newest(const graph::ExecutionGraph& graph, uint32_t thread) {
  for (const machine::Pointer at : machine_.waits_for(ThreadId(thread))) {
    const auto known = numbers_.find(at.bits * 2);
    if (known == numbers_.end()) continue;
    const auto stores = graph.coherence({known->second});
    for (const graph::ThreadAccesses& accesses : graph.accesses({known->second}))
      if (accesses.thread == thread && !accesses.reads.empty() &&
          graph.place_of(graph.at(accesses.reads.back()).from) != stores.size())
        return false;
  }
  return true;
}

bool GraphMachine::blocked_for_good(const graph::ExecutionGraph& graph) {
  for (uint32_t n = 0; n < machine_.thread_count(); ++n) {
    if (n >= threads_ || state_.threads[n].ended) return false;
    if (machine_.status(ThreadId(n)) == ThreadStatus::Ended) continue;
    if (machine_.waits_for_store(ThreadId(n)) ? !saw_newest(graph, n) : machine_.enabled(ThreadId(n))) return false;
  }
  return true;
}

bool GraphMachine::ended(const graph::ExecutionGraph& graph, GraphEnd end) {
  if (stop_) return false;
  Statistics& statistics = reporter_.statistics();
  ++statistics.executions;
  ++(end == GraphEnd::Complete ? statistics.graphs : statistics.blocked);
  const Outcome outcome = machine_.outcome();
  const auto schedule = [this] { return schedule_; };
  if (outcome == Outcome::Finished)
    reporter_.ended(driver_, PathEnd::Finished, schedule);
  else if (outcome == Outcome::Faulted)
    reporter_.ended(driver_, PathEnd::Faulted, schedule);
  else if (blocked_for_good(graph))
    reporter_.ended(driver_, PathEnd::Stuck, schedule);
  return !reporter_.stopped();
}

std::optional<std::set<std::string>> found_under_sc(const machine::ImagePtr& image, const Task& task) {
  Task sc = task;
  sc.rules.model = graph::MemoryModel::Sc;
  sc.stop_at_first = false;
  std::set<std::string> found;
  Listener listener;
  listener.finding = [&](const detect::Finding& finding) { found.insert(finding.id); };
  const Result result = explore(image, nullptr, sc, listener);
  if (result.completeness != Completeness::Complete) return std::nullopt;
  return found;
}

void search_graphs(Driver& driver, Reporter& reporter, const Task& task) {
  const machine::Mark start = driver.mark();
  Joined joined;
  for (uint32_t threads = 8;;) {
    driver.rewind(start);
    reporter.statistics().graphs = reporter.statistics().blocked = reporter.statistics().executions = 0;
    GraphMachine system(driver, reporter, threads, joined);
    GraphStatistics statistics;
    GraphSearch<GraphMachine, GraphMachine> search(system, system, task.rules, statistics);
    search.run();
    if (system.joined_more() && !reporter.stopped()) continue;
    if (!system.too_many_threads()) return;
    if (threads >= kThreadsMax) return reporter.beyond(Beyond::Threads);
    threads *= 2;
  }
}

}  // namespace heddle::explore
