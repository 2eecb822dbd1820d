#include "server/explore/graph_machine.h"

#include <algorithm>
#include <utility>

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

// Who takes or enters acquires what was given back or finished, and releases nothing: two readers, or two takers, do not
// order each other. Of a condition variable the mutex orders, of a futex what reads the word.
Order order_of_object(OperationKind kind) {
  if (machine::takes_lock(kind)) return Order::Acquire;
  if (machine::gives_lock(kind)) return Order::Release;
  switch (kind) {
    case OperationKind::Wake:
    case OperationKind::SemaphoreWait:
    case OperationKind::SemaphoreTryWait:
    case OperationKind::SemaphoreTimedWait:
    case OperationKind::OnceEnter: return Order::Acquire;
    case OperationKind::Wait:
    case OperationKind::SemaphorePost:
    case OperationKind::OnceLeave: return Order::Release;
    case OperationKind::FutexReturn:
    case OperationKind::Signal:
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
      states_(threads),
      stores_(threads),
      joined_(joined) {
  states_[0].begun = true;
}

GraphMachine::GraphMachine(Driver& driver, Reporter& reporter, const GraphMachine& other, Joined& joined)
    : GraphMachine(driver, reporter, other.threads_, joined) {
  locations_ = other.locations_;
  numbers_ = other.numbers_;
  later_ = other.later_;
}

GraphMachine::ThreadState& GraphMachine::change(uint32_t thread) {
  thread_changes_.emplace_back(thread, states_[thread]);
  return states_[thread];
}

GraphMachine::LocationState& GraphMachine::change(LocationId id) {
  if (location_states_.size() <= id.value) location_states_.resize(id.value + 1);
  location_changes_.emplace_back(id.value, location_states_[id.value]);
  return location_states_[id.value];
}

// A condition variable and a mutex that were not known to belong together: the search begins anew with that.
bool GraphMachine::joins_more(const Operation& operation) {
  if (!waits(operation.kind) || !joined_.join(operation.object.bits, operation.second.bits)) return false;
  stop_ = begin_anew_ = true;
  return true;
}

Turn GraphMachine::turn(uint32_t thread) {
  if (stop_ || thread >= machine_.thread_count()) return Turn::Ended;
  const ThreadState& t = states_[thread];
  const ThreadStatus status = machine_.status(ThreadId(thread));
  if (status == ThreadStatus::Ended || t.ended) return Turn::Ended;
  if (t.half == Half::Blocked || t.half == Half::Refuted || t.half == Half::InVain || t.half == Half::Assumed)
    return Turn::Waiting;
  if (t.half == Half::Comparing || t.half == Half::Leaving) return Turn::Ready;
  const Operation& operation = machine_.pending(ThreadId(thread));
  const bool blocked = status == ThreadStatus::Blocked;
  if (blocked && operation.kind == OperationKind::Yield && !operation.spinning) return Turn::Ended;  // it failed
  if (machine_.outcome() != Outcome::Running) {
    if (machine_.waits_for_store(ThreadId(thread))) return Turn::Waiting;  // it may have seen an old value
    // After an error, a lock may still be tried: an earlier place in the lock's order revisits its holder.
    const bool tries = machine_.outcome() == Outcome::Faulted && form_of(thread, operation) == Form::Object;
    return !blocked ? Turn::Ended : tries ? Turn::Ready : Turn::Waiting;
  }
  if (!t.begun) return Turn::Ready;
  if (machine_.waits_for_store(ThreadId(thread))) return Turn::Waiting;
  if (t.half == Half::None && (not_followed(thread, operation) || joins_more(operation))) return Turn::Ended;
  return ready(thread, operation) ? Turn::Ready : Turn::Waiting;
}

bool GraphMachine::can_perform(uint32_t thread) {
  return thread < threads_ && (states_[thread].half == Half::InVain || turn(thread) == Turn::Ready);
}

bool GraphMachine::ends_process(uint32_t thread) const {
  const bool stands = thread < machine_.thread_count() && machine_.status(ThreadId(thread)) == ThreadStatus::Pending;
  return stands && states_[thread].begun && machine_.pending(ThreadId(thread)).kind == OperationKind::ProcessExit;
}

bool GraphMachine::ready(uint32_t thread, const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::ProcessExit: return may_end(thread, operation);
    case OperationKind::Join: return operation.alternatives != 0;
    case OperationKind::DataChoice:
      return operation.alternatives != 0 || !machine_.question(ThreadId(thread)).empty();  // it may not hold
    default: return form_of(thread, operation) == Form::Object || operation.alternatives != 0;
  }
}

// The process ends only when no other thread can act. An earlier end would show less, except that a thread which is not
// detached still runs, also one that has ended here and need not have, and except which of two threads ends the process.
bool GraphMachine::may_end(uint32_t thread, const Operation& operation) {
  bool others_act = false, shows_more = false;
  for (uint32_t n = 0; n < threads_ && n < machine_.thread_count(); ++n) {
    if (n == thread) continue;
    if (machine_.status(ThreadId(n)) == ThreadStatus::Ended) {
      const bool before = graph_ == nullptr || graph_->causal_before(thread)[n] >= states_[n].length;
      shows_more |= !before && !is_detached(n);
      continue;
    }
    const bool ends = ends_process(n);
    if (!ends && turn(n) != Turn::Ready) continue;
    others_act |= !ends;
    shows_more |= ends || !is_detached(n);
  }
  if (shows_more && !std::exchange(early_end_, true))
    reporter_.not_followed(operation, "the end of the process while other threads can act: they act first here");
  return !others_act;
}

bool GraphMachine::is_detached(uint32_t thread) const {
  const auto events = machine_.events();
  return std::any_of(events.begin(), events.end(), [&](const machine::Event& event) {
    return event.operation.kind == OperationKind::Detach && event.operation.object.bits == thread;
  });
}

GraphMachine::Form GraphMachine::form_of(uint32_t thread, const Operation& operation) {
  return states_[thread].looked ? states_[thread].form : form(operation);
}

LocationId GraphMachine::location_of(uint32_t thread, const Operation& operation, bool object) {
  return states_[thread].looked ? states_[thread].location : location_of(operation, object);
}

LocationId GraphMachine::location_of(const Operation& operation, bool object) {
  const uint64_t address = object ? joined_.root(operation.object.bits) : operation.object.bits;
  const auto [found, fresh] = numbers_.try_emplace(address * 2 + object, locations_.size());
  if (fresh) locations_.push_back({operation.object, object ? 0 : operation.size});
  return object ? LocationId{found->second} : as_written_last({found->second});
}

const GraphMachine::LocationState& GraphMachine::prepared(LocationId id) {
  if (id.value < location_states_.size() && location_states_[id.value].known) return location_states_[id.value];
  LocationState& location = change(id);
  location = {};
  location.known = true;
  if (locations_[id.value].size != 0)
    location.initial = location.shown = machine_.held_at(locations_[id.value].at, locations_[id.value].size);
  return location;
}

Label GraphMachine::pending(uint32_t thread) {
  const ThreadState& t = states_[thread];
  Label label;
  label.kind = Kind::Sync;
  label.source = graph::kInitial;
  if (!t.begun) {
    label.source = t.creation;
    return label;
  }
  if (t.half == Half::Comparing) {
    label.kind = Kind::Read;
    label.order = Order::Relaxed;
    label.location = t.location;
    return label;
  }
  const Operation& operation = machine_.pending(ThreadId(thread));
  if (fence_precedes(thread, operation)) {
    label.kind = Kind::Fence;
    label.order = Order::SequentiallyConsistent;
    return label;
  }
  const Form as = form_of(thread, operation);
  if (t.half == Half::Leaving || as == Form::Leave) {
    label.source = others_arrived(thread)[t.followed];
    return label;
  }
  if (as == Form::Join) {
    const auto other = static_cast<uint32_t>(operation.object.bits);
    if (other < threads_ && other != thread && states_[other].length > 0)
      label.source = EventId::make(other, states_[other].length - 1);
    return label;
  }
  if (as == Form::Other || as == Form::Unknown || as == Form::Arrive || as == Form::Guard) return label;
  if (as == Form::Choice) {  // a write that no read sees
    label.kind = Kind::Write;
    label.order = Order::Relaxed;
    label.location = choices_of(thread);
    return label;
  }
  label.order = as == Form::Object ? order_of_object(operation.kind) : order_of(operation.order);
  label.kind = as == Form::Fence ? Kind::Fence : Kind::Read;
  if (as == Form::Fence) return label;
  label.location = location_of(thread, operation, as == Form::Object);
  if (as == Form::Store || t.half == Half::Reading) label.kind = Kind::Write;
  if (as == Form::Update || as == Form::Object) label.part = Part::Update;
  label.continues_own = operation.kind == OperationKind::AtomicWrite && machine_.continues_sequence(ThreadId(thread));
  return label;
}

Label GraphMachine::pending_reading(uint32_t thread, EventId from, uint32_t outcome) {
  Label label = pending(thread);
  if (states_[thread].half == Half::Comparing) return label;
  const Operation& operation = machine_.pending(ThreadId(thread));
  const Form as = form_of(thread, operation);
  if (as == Form::Object && operation.alternatives == 0 &&
      (prepared(label.location).newest == from || waits_to_try(operation)))
    label.part = Part::None;  // blocked in this state of the object
  if (as == Form::Object && refuses(thread, operation, label.location, from)) {
    label.part = Part::Failed;
    label.order = Order::Relaxed;
  }
  if (as == Form::Update && fails(thread, label.location, from, outcome)) {
    label.part = Part::Failed;
    label.order = order_of(machine_.failure_order(ThreadId(thread)));
  }
  return label;
}

uint32_t GraphMachine::outcome_of_write(uint32_t thread, uint32_t least) {
  if (stop_ || (states_[thread].looked && is_access(states_[thread].form))) return least == 0 ? 0 : kNoOutcome;
  if (machine_.has_unknown())
    if (const auto outcomes = machine_.question(ThreadId(thread)); !outcomes.empty())
      return possible_from(outcomes, least);
  const Operation& operation = machine_.pending(ThreadId(thread));
  const Form as = form_of(thread, operation);
  const bool several = as == Form::Object || as == Form::Choice;
  // Of a futex: the word has the value, or another.
  const uint32_t count = operation.kind == OperationKind::FutexWait ? 2 : several ? operation.alternatives : 1;
  return least < count ? least : kNoOutcome;
}

// Whether the compare-exchange fails that finds this store.
bool GraphMachine::fails(uint32_t thread, LocationId location, EventId from, uint32_t outcome) {
  const Word found = store(location, from).word;
  if (machine_.has_unknown() && !machine_.question_of_exchange(ThreadId(thread), found).empty()) return outcome == 0;
  return machine_.fails_with(ThreadId(thread), found);
}

// A thread that waits for an object continues as soon as it may.
bool GraphMachine::may_wait(const graph::ExecutionGraph& graph, uint32_t thread) {
  if (states_[thread].half == Half::Refuted) return false;
  if (states_[thread].half != Half::Blocked) return true;
  const graph::Event& read = graph.last_of(thread);
  return graph.place_of(read.from) == graph.coherence(read.label.location).size();
}

LocationId GraphMachine::choices_of(uint32_t thread) {
  const auto [found, fresh] = numbers_.try_emplace(~uint64_t{thread}, locations_.size());
  if (fresh) locations_.push_back({{}, 0});
  return {found->second};
}

void GraphMachine::step(uint32_t thread, std::optional<Found> found, uint32_t outcome, bool earlier) {
  states_[thread].half = Half::None;
  states_[thread].looked = states_[thread].fenced = false;
  ++states_[thread].operations;
  schedule_.push_back({ThreadId(thread), outcome});
  if (found) schedule_.back().found = found->value;
  if (found) schedule_.back().stored_by = found->stored_by;
  if (found) schedule_.back().found_high = found->high;
  schedule_.back().earlier = earlier;
  ++reporter_.statistics().events;
  ++reporter_.statistics().states;
  driver_.perform(schedule_.back());
  if (!reporter_.stepped(driver_, ThreadId(thread), [this] { return schedule_; })) stop_ = true;
  if (machine_.thread_count() > threads_) stop_ = too_many_ = true;
  if (schedule_.size() == kStepsMax) {
    reporter_.beyond(Beyond::Steps);
    stop_ = true;
  }
  if (machine_.tries_again(ThreadId(thread))) states_[thread].half = Half::InVain;
  if (machine_.compares_memory_next()) stop_ = begin_anew_ = true;
}

void GraphMachine::perform(const graph::ExecutionGraph& graph, uint32_t thread, EventId from, uint32_t outcome) {
  graph_ = &graph;
  ThreadState& t = change(thread);
  if (t.half == Half::InVain) t.half = Half::None;  // plain memory was another in an order of the same events
  const EventId id = EventId::make(thread, t.length++);
  Store made;
  const bool begins = !t.begun;
  t.begun = true;
  if (!begins && t.half == Half::None) stand_at(thread, graph.at(id).label.location);
  if (!begins && machine_.has_unknown() && !can_answer(thread, id, from, outcome)) {
    stores_[thread].push_back(made);
    return;
  }
  if (t.half == Half::Comparing) {
    compare_found(thread, from);
  } else if (t.half == Half::Leaving) {
    perform_leaving(thread);
  } else if (!begins && fence_precedes(thread, machine_.pending(ThreadId(thread)))) {
    t.fenced = true;
  } else if (!begins) {
    const Operation operation = machine_.pending(ThreadId(thread));
    switch (form_of(thread, operation)) {
      case Form::Load:
      case Form::Store:
      case Form::Update: perform_access(thread, operation, from, outcome, is_earlier(graph, id), made); break;
      case Form::Choice: perform_choice(thread, outcome); break;
      case Form::Object: perform_object(thread, operation, from, outcome, made); break;
      case Form::Arrive: perform_arrival(thread, operation, id); break;
      case Form::Leave: perform_leaving(thread); break;
      case Form::Guard: step(thread, Found{0}); break;  // it enters the object, which says and orders the same
      default: step(thread, std::nullopt, outcome);
    }
    const auto created = static_cast<uint32_t>(operation.object.bits);
    if (operation.kind == OperationKind::Create && created < threads_) change(created).creation = id;
    if (machine_.times_made_concrete() != times_concrete_) end_where_concrete(thread, operation);
  }
  if (machine_.has_unknown()) note_assumed(id);
  const bool first_half = t.half == Half::Reading || t.half == Half::Blocked || t.fenced;
  made.operation = t.operations + first_half;
  stores_[thread].push_back(made);
}

size_t GraphMachine::mark() {
  marks_.push_back({driver_.mark(), thread_changes_.size(), location_changes_.size(), schedule_.size(),
                    arrivals_.size(), conditions_.size(), questions_.size()});
  return marks_.size() - 1;
}

void GraphMachine::rewind(size_t mark) {
  const Saved& saved = marks_[mark];
  driver_.rewind(saved.machine);
  for (; thread_changes_.size() > saved.thread_changes; thread_changes_.pop_back()) {
    const auto& [thread, before] = thread_changes_.back();
    states_[thread] = before;
    stores_[thread].resize(before.length);
  }
  for (; location_changes_.size() > saved.location_changes; location_changes_.pop_back())
    location_states_[location_changes_.back().first] = location_changes_.back().second;
  schedule_.resize(saved.schedule);
  arrivals_.resize(saved.arrivals);
  conditions_.resize(saved.conditions);
  questions_.resize(saved.questions);
  marks_.resize(mark);
}

// How many operations ago a thread that spins came to its loop, at most.
uint32_t GraphMachine::operations_in_loop(uint32_t thread) {
  const program::CodeAddress at = machine_.pending(ThreadId(thread)).at;
  const std::span<const machine::Event> events = machine_.events();
  uint32_t back = 0, loop = 0;
  for (size_t n = events.size(); n-- > 0;) {
    const machine::Event& event = events[n];
    if (event.operation.thread != ThreadId(thread)) continue;
    if (event.operation.kind == OperationKind::AtomicWrite && !event.failed) break;
    if (event.operation.kind == OperationKind::AtomicUpdate && !event.failed) break;
    if (event.operation.kind == OperationKind::Write || event.operation.kind == OperationKind::Create) break;
    ++back;
    if (event.operation.at == at) loop = back;
  }
  return std::max(loop, 1u);
}

// Whether all reads of the loop in which a thread spins saw the newest stores: then nothing comes that would end its
// wait.
bool GraphMachine::saw_newest(const graph::ExecutionGraph& graph, uint32_t thread) {
  const uint32_t before = states_[thread].operations - operations_in_loop(thread);
  for (uint32_t n = graph.length(thread); n-- > 0 && stores_[thread][n].operation > before;) {
    const graph::Event& event = graph.at(EventId::make(thread, n));
    if (event.label.kind != Kind::Read) continue;
    // What the thread did itself since then, such as taking a lock and giving it back, ends no wait.
    const auto later = graph.coherence(event.label.location).subspan(graph.place_of(event.from));
    if (std::any_of(later.begin(), later.end(), [&](EventId write) { return write.thread() != thread; })) return false;
  }
  return true;
}

bool GraphMachine::blocked_for_good(const graph::ExecutionGraph& graph) {
  for (uint32_t n = 0; n < machine_.thread_count(); ++n) {
    if (n >= threads_ || states_[n].ended) return false;
    if (machine_.status(ThreadId(n)) == ThreadStatus::Ended) continue;
    const bool waits = machine_.waits_for_store(ThreadId(n)), spins = waits || machine_.pending(ThreadId(n)).spinning;
    if ((spins && !saw_newest(graph, n)) || (!waits && machine_.enabled(ThreadId(n)))) return false;
  }
  return true;
}

bool GraphMachine::ended(const graph::ExecutionGraph& graph, GraphEnd end) {
  if (stop_) return false;
  graph_ = &graph;
  at_end_ = true;
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
  at_end_ = false;
  return !reporter_.stopped();
}

std::optional<std::set<std::string>> found_under_sc(const machine::ImagePtr& image, const Task& task) {
  Task sc = task;
  sc.rules.model = graph::MemoryModel::Sc;
  sc.stop_at_first = sc.minimise = false;
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
    reporter.minimise_by([&system](const machine::ImagePtr& image, const Task& again, const detect::Finding& finding) {
      return minimise_in_graph(image, again, system, finding);
    });
    search.run();
    reporter.minimise_by(nullptr);
    if (system.begins_anew() && !reporter.stopped()) {
      driver.machine().compare_memory();
      continue;
    }
    if (!system.too_many_threads()) return;
    if (threads >= kThreadsMax) return reporter.beyond(Beyond::Threads);
    threads *= 2;
  }
}

}  // namespace heddle::explore
