// Findings of execution graphs with fewer context switches: what the finding needs of its graph, in an order in which
// each thread continues as long as it can. Reads find the stores that they found, whatever memory holds by then.
#include <algorithm>

#include "server/explore/graph_machine.h"

namespace heddle::explore {

using graph::Event;
using graph::EventId;
using graph::ExecutionGraph;
using graph::Kind;
using graph::Part;
using machine::ThreadId;

namespace {

uint32_t switches_of(const detect::Schedule& schedule) {
  uint32_t count = 0;
  for (size_t n = 1; n < schedule.size(); ++n) count += schedule[n].thread != schedule[n - 1].thread;
  return count;
}

using Counts = std::vector<uint32_t>;  // by thread, of its first events

}  // namespace

class GraphMinimiser {
 public:
  GraphMinimiser(const machine::ImagePtr& image, const Task& task, const GraphMachine& searched,
                 const detect::Finding& finding)
      : image_(image),
        task_(task),
        searched_(searched),
        whole_(*searched.graph_),
        joined_(searched.joined_),
        best_(finding),
        options_(options_of(task)),
        machine_(image, options_),
        driver_(machine_),
        start_(driver_.mark()) {
    driver_.past_faults = task.past_faults;
  }

  detect::Finding run() {
    Counts counts(whole_.thread_count());
    for (uint32_t n = 0; n < counts.size(); ++n) counts[n] = searched_.states_[n].length;
    shorten(counts);
    for (const Choose how : {Choose::Longest, Choose::First, Choose::Last}) attempt(counts, how);
    return best_;
  }

 private:
  enum class Choose : uint8_t { Longest, First, Last };
  static constexpr uint64_t kEventsMax = 40'000, kInstructionsMax = 8'000'000;  // as for interleavings

  static machine::Options options_of(const Task& task) {
    machine::Options options = task.machine;
    options.exact_spins = true;
    return options;
  }
  static Task without_budget(Task task) {
    task.minimise = task.stop_at_first = false;
    task.budget = {};
    return task;
  }
  bool budget_left() const { return events_ < kEventsMax && machine_.instructions() < kInstructionsMax; }

  // Leaves out what a thread does beyond what the others need of it, where the finding shows without that.
  void shorten(Counts& counts) {
    for (uint32_t thread = 0; thread < counts.size(); ++thread) {
      Counts fewer = counts;
      fewer[thread] = needed_by_others(counts, thread);
      if (fewer[thread] < counts[thread] && attempt(fewer, Choose::Longest)) counts = fewer;
    }
  }

  uint32_t needed_by_others(const Counts& counts, uint32_t thread) const {
    uint32_t needed = 0;
    for (uint32_t n = 0; n < counts.size(); ++n)
      if (n != thread && counts[n] > 0)
        needed = std::max(needed, whole_.causal(EventId::make(n, counts[n] - 1))[thread]);
    const bool half = needed > 0 && needed < counts[thread] && reads_to_update(EventId::make(thread, needed - 1));
    return needed + half;
  }

  bool reads_to_update(EventId id) const {
    const Event& event = whole_.at(id);
    return event.label.kind == Kind::Read && event.label.part == Part::Update;
  }

  // True: the finding shows; it is the best one if it has fewer switches, or as many and is shorter.
  bool attempt(const Counts& counts, Choose how) {
    bool again = false;
    if (attempt(counts, how, again)) return true;
    if (again) machine_.compare_memory();
    return again && attempt(counts, how, again);
  }

  // `again`: a loop of it needs memory compared.
  bool attempt(const Counts& counts, Choose how, bool& again) {
    if (!budget_left()) return false;
    driver_.rewind(start_);
    driver_.faults_seen = 0;
    const Task task = without_budget(task_);
    std::optional<detect::Finding> found;
    Listener listener;
    listener.finding = [&](const detect::Finding& finding) {
      if (finding.id == best_.id && !found) found = finding;
    };
    Reporter reporter(image_, task, listener);
    reporter.begin(machine_);
    Joined joined = joined_;
    GraphMachine system(driver_, reporter, searched_, joined);
    ExecutionGraph graph(whole_.thread_count());
    const bool all = perform(system, graph, counts, how, found);
    if (all && !found && searched_.at_end_) system.ended(graph, GraphEnd::Blocked);
    again = system.begin_anew_;
    if (!found) return false;
    const auto cost = [](const detect::Finding& finding) {
      return std::pair(switches_of(finding.schedule), finding.schedule.size());
    };
    if (cost(*found) < cost(best_)) best_ = *found;
    return true;
  }

  // False: it comes to no end.
  bool perform(GraphMachine& system, ExecutionGraph& graph, const Counts& counts, Choose how,
               const std::optional<detect::Finding>& found) {
    std::optional<uint32_t> running;
    while (!found) {
      if (!running || !may_perform(system, graph, counts, *running)) {
        running = next_thread(system, graph, counts, how);
        if (!running) break;
      }
      const Event& event = whole_.at(EventId::make(*running, graph.length(*running)));
      const graph::Label now = system.pending(*running);
      if (now.kind != event.label.kind || now.location != event.label.location) return false;  // a data race decides
      add(graph, event);
      ++events_;
      system.perform(graph, *running, event.from, event.outcome);
      if (system.stop_ || !budget_left()) return false;
    }
    for (uint32_t n = 0; n < counts.size(); ++n)
      if (graph.length(n) < counts[n]) return false;
    return true;
  }

  std::optional<uint32_t> next_thread(GraphMachine& system, const ExecutionGraph& graph, const Counts& counts,
                                      Choose how) {
    std::optional<uint32_t> best;
    uint32_t best_length = 0;
    for (uint32_t n = 0; n < counts.size(); ++n) {
      if (!may_perform(system, graph, counts, n)) continue;
      const uint32_t length = how == Choose::Longest ? events_in_row(graph, counts, n) : 0;
      if (best && (how == Choose::First || (how == Choose::Longest && length <= best_length))) continue;
      best = n;
      best_length = length;
    }
    return best;
  }

  uint32_t events_in_row(const ExecutionGraph& graph, const Counts& counts, uint32_t thread) const {
    const uint32_t first = graph.length(thread);
    uint32_t n = first;
    while (n < counts[thread] && sources_are_there(graph, whole_.at(EventId::make(thread, n)))) ++n;
    return n - first;
  }

  // The events that come directly before it: earlier ones of its own thread are there.
  bool sources_are_there(const ExecutionGraph& graph, const Event& event) const {
    const auto there = [&](EventId id) {
      return id == graph::kInitial || id.thread() == event.id.thread() || graph.contains(id);
    };
    if (event.label.kind == Kind::Read) return there(event.from);
    return event.label.kind != Kind::Sync || there(event.label.source);
  }

  bool may_perform(GraphMachine& system, const ExecutionGraph& graph, const Counts& counts, uint32_t thread) {
    if (graph.length(thread) >= counts[thread]) return false;
    const Event& event = whole_.at(EventId::make(thread, graph.length(thread)));
    if (!sources_are_there(graph, event) || changes_before_waiting(graph, counts, event)) return false;
    if (system.ends_process(thread) && others_left(graph, counts, thread)) return false;
    return system.can_perform(thread);
  }

  // A thread that is blocked reads the newest state of its object. So what changes that state comes later.
  bool changes_before_waiting(const ExecutionGraph& graph, const Counts& counts, const Event& event) const {
    if (!reads_to_update(event.id) || !searched_.is_object(event.label.location)) return false;
    for (const graph::ThreadAccesses& other : whole_.accesses(event.label.location))
      for (const EventId read : other.reads) {
        const bool waits = read.index() < counts[other.thread] && whole_.at(read).label.part == Part::None;
        if (waits && read != event.id && whole_.at(read).from == event.from && !graph.contains(read)) return true;
      }
    return false;
  }

  bool others_left(const ExecutionGraph& graph, const Counts& counts, uint32_t thread) const {
    for (uint32_t n = 0; n < counts.size(); ++n)
      if (n != thread && graph.length(n) < counts[n]) return true;
    return false;
  }

  void add(ExecutionGraph& graph, const Event& event) const {
    const uint32_t thread = event.id.thread();
    switch (event.label.kind) {
      case Kind::Read: return graph.add_read(thread, event.label, event.from, graph.next_stamp(), event.outcome);
      case Kind::Write:
        return graph.add_write(thread, event.label, place_in(graph, event), graph.next_stamp(), event.outcome);
      default: graph.add_other(thread, event.label, graph.next_stamp());
    }
  }

  // After the stores that are there and precede it in coherence order.
  uint32_t place_in(const ExecutionGraph& graph, const Event& write) const {
    uint32_t place = 1;
    for (const EventId other : graph.coherence(write.label.location)) place += whole_.at(other).place < write.place;
    return place;
  }

  const machine::ImagePtr& image_;
  const Task& task_;
  const GraphMachine& searched_;
  const ExecutionGraph& whole_;
  const Joined joined_;
  detect::Finding best_;
  const machine::Options options_;
  machine::Machine machine_;
  Driver driver_;
  const machine::Mark start_;
  uint64_t events_ = 0;
};

detect::Finding minimise_in_graph(const machine::ImagePtr& image, const Task& task, const GraphMachine& searched,
                                  const detect::Finding& finding) {
  return GraphMinimiser(image, task, searched, finding).run();
}

}  // namespace heddle::explore
