// Execution graphs of a program: the machine as the System of graph_search.h. Internal to the folder.
//
// In:      a Driver whose machine is in its first state; a Task with the rules of a memory model.
// Out:     findings, limits and the numbers of graphs to the Reporter.
// Cost:    an event takes a mark of the machine, and what was known of its thread and location is kept.
// Owns:    the stores of each location on the path.
// Threads: the thread that uses the machine.
// Fails:   never. An operation that has no events here ends its thread and is a limit with its place.
// From:    Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022. Differs: synchronisation objects are locations whose
//          operations are read-modify-writes, so that they are totally ordered; one that is blocked is a read only. A
//          condition variable shares the location of the mutexes that it is waited for with. What can go in several
//          ways is a write with outcomes.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/explore/graph_search.h"
#include "server/explore/report.h"

namespace heddle::explore {

// What the search has learnt of synchronisation objects: condition variables and mutexes that share a location, known
// by the waits that were met; barriers at which the order of arrivals matters.
class Joined {
 public:
  uint64_t root(uint64_t address) const;
  bool join(uint64_t one, uint64_t other);  // false: they were joined
  bool shares(uint64_t root) const { return several_.contains(root); }
  bool orders_arrivals(uint64_t barrier) const { return ordered_.contains(barrier); }
  void order_arrivals(uint64_t barrier) { ordered_.insert(barrier); }

 private:
  std::unordered_map<uint64_t, uint64_t> up_;
  std::set<uint64_t> several_, ordered_;
};

class GraphMachine {
  using EventId = graph::EventId;
  using Word = machine::Machine::Word;

 public:
  GraphMachine(Driver& driver, Reporter& reporter, uint32_t threads, Joined& joined);
  // With the same numbers of locations.
  GraphMachine(Driver& driver, Reporter& reporter, const GraphMachine& other, Joined& joined);

  // --- the System ---
  uint32_t thread_count() const { return threads_; }
  Turn turn(uint32_t thread);
  graph::Label pending(uint32_t thread);
  graph::Label pending_reading(uint32_t thread, EventId from, uint32_t outcome);
  uint32_t outcome_of_write(uint32_t thread, uint32_t least);
  uint32_t outcome_of_read(uint32_t thread, EventId from, uint32_t least);
  bool is_first_outcome(const graph::Event& event, const graph::Previous& previous);
  bool may_wait(const graph::ExecutionGraph& graph, uint32_t thread);
  void perform(const graph::ExecutionGraph& graph, uint32_t thread, EventId from, uint32_t outcome);
  size_t mark();
  void rewind(size_t mark);
  // --- the Client ---
  bool ended(const graph::ExecutionGraph& graph, GraphEnd end);
  void race(const graph::ExecutionGraph&, EventId) {}  // the machine finds races by its own clocks
  bool stopped() const { return stop_; }

  bool too_many_threads() const { return too_many_; }
  bool begins_anew() const { return begin_anew_; }  // the search has to begin anew

 private:
  friend class GraphMinimiser;

  // How an operation shows in a graph.
  enum class Form : uint8_t { Load, Store, Update, Fence, Object, Choice, Join, Arrive, Leave, Guard, Other, Unknown };
  static constexpr EventId kNoEvent{0xfffffffe};
  // Of a loop that reads one location again and again: rounds in which another store may be read; rounds of more than a
  // read, after them; rounds of a read alone, after them.
  static constexpr uint32_t kReadsInRowMost = 1000, kReadsOnMost = 64, kSilentReadsMost = 20'000;
  // Of an update: it has read; it has to wait for another value. Of a wait for a futex: the word is to be read; it has
  // not the value that was supposed. Of an arrival at a barrier: the thread was the last, and follows the others. Of a
  // round of a loop that another graph shows without it: it is over. Of an assumption: it does not hold.
  enum class Half : uint8_t { None, Reading, Blocked, Comparing, Refuted, Leaving, InVain, Assumed };
  struct ThreadState {
    bool begun = false;
    Half half = Half::None;
    bool ended = false;   // an operation that has no events here
    bool looked = false;  // at the pending operation: form and location are known
    bool fenced = false;  // it had the fence that precedes it
    Form form = Form::Other;
    graph::LocationId location;
    EventId from;              // Half::Reading
    uint32_t alternative = 0;  // Half::Reading: of the compare-exchange, if unknown data decides it
    uint64_t expected = 0;     // Half::Comparing: the value of the word for which it sleeps
    bool sleeps = false;       // and whether it does
    uint32_t round = 0;        // Form::Leave, Half::Leaving: of the barrier
    uint32_t followed = 0;     // and how many of the others' arrivals have an event that follows them
    EventId creation;
    uint32_t length = 0;        // events
    uint32_t operations = 0;    // performed
    uint32_t reads_in_row = 0;  // of one location, before the last one
    graph::LocationId read_last{~0u};
  };
  struct LocationState {
    bool known = false;  // its initial value
    Word initial;
    Word shown;                  // what the machine's memory holds unless it was written otherwise
    EventId newest;              // of an object: the last operation; else the last store in coherence order
    EventId view_of = kNoEvent;  // whose view the machine's location has
    bool written_over = false;   // as plain memory: its address has a later location since then
  };
  struct Location {
    machine::Pointer at;
    uint32_t size = 0;  // 0: a synchronisation object
  };
  struct Arrival {
    graph::LocationId barrier;
    uint32_t thread, round;
    EventId event;
    uint32_t count;  // of the machine's events of the thread
  };
  struct Store {
    Word word;                               // of an object: the ThreadId that holds the lock, plus 1; 0: none
    std::optional<uint32_t> stored_by = {};  // as in a Choice
    machine::Machine::StoreView view = {};
    uint32_t operation = 0;  // of its thread, from 1, that the event is a part of
  };

  Form form(const machine::Operation& operation);
  Form form_of_access(const machine::Operation& operation);
  static bool is_access(Form as) { return as == Form::Load || as == Form::Store || as == Form::Update; }
  static bool has_location(Form as) {
    return is_access(as) || as == Form::Object || as == Form::Arrive || as == Form::Leave;
  }
  Form form_of(uint32_t thread, const machine::Operation& operation);  // of its pending operation
  graph::LocationId location_of(uint32_t thread, const machine::Operation& operation, bool object);
  bool not_followed(uint32_t thread, const machine::Operation& operation);
  bool fence_precedes(uint32_t thread, const machine::Operation& operation);  // an event before its own ones
  std::string why_not_followed(Form as, const machine::Operation& operation) const;
  bool sizes_differ(const machine::Operation& operation) const;
  bool joins_more(const machine::Operation& operation);
  bool refuses(uint32_t thread, const machine::Operation& operation, graph::LocationId location, EventId from);
  static bool waits_to_try(const machine::Operation& operation);
  void perform_object(uint32_t thread, const machine::Operation& operation, EventId from, uint32_t outcome,
                      Store& made);
  void perform_access(uint32_t thread, const machine::Operation& operation, EventId from, uint32_t outcome,
                      bool earlier, Store& made);
  void stand_at(uint32_t thread, graph::LocationId location);
  void compare_word(uint32_t thread, const machine::Operation& operation, uint32_t outcome);
  bool may_end(uint32_t thread, const machine::Operation& operation);
  bool is_detached(uint32_t thread) const;  // by a call
  void perform_arrival(uint32_t thread, const machine::Operation& operation, EventId id);
  void perform_leaving(uint32_t thread);
  std::vector<EventId> others_arrived(uint32_t thread) const;
  void order_arrivals(machine::Pointer barrier);
  bool arrivals_precede(uint32_t thread, const machine::Operation& operation);
  bool ready(uint32_t thread, const machine::Operation& operation);
  bool can_perform(uint32_t thread);         // what a graph has next of it
  bool ends_process(uint32_t thread) const;  // next
  bool is_object(graph::LocationId id) const { return locations_[id.value].size == 0; }
  graph::LocationId location_of(const machine::Operation& operation, bool object);
  graph::LocationId as_written_last(graph::LocationId id);
  graph::LocationId choices_of(uint32_t thread);
  ThreadState& change(uint32_t thread);
  LocationState& change(graph::LocationId id);
  const LocationState& prepared(graph::LocationId id);
  Store store(graph::LocationId location, EventId id);
  struct Found {
    uint64_t value = 0;
    std::optional<uint32_t> stored_by = {};
    uint64_t high = 0;
  };
  std::optional<Found> show(graph::LocationId location, EventId from);
  void read_on(uint32_t thread, machine::Pointer at, graph::LocationId location, EventId from);
  bool is_earlier(const graph::ExecutionGraph& graph, EventId id) const;
  void step(uint32_t thread, std::optional<Found> found, uint32_t outcome = 0, bool earlier = false);
  // graph_data.cc
  struct Condition {
    EventId event;
    uint32_t holds = 0;
  };
  struct Question {
    EventId event;
    std::vector<uint32_t> outcomes;  // what each assumes
  };
  std::vector<uint32_t> question(uint32_t thread, EventId from);
  bool fails(uint32_t thread, graph::LocationId location, EventId from, uint32_t outcome);
  uint32_t possible_from(const std::vector<uint32_t>& outcomes, uint32_t least);
  bool can_answer(uint32_t thread, EventId event, EventId from, uint32_t outcome);
  void perform_choice(uint32_t thread, uint32_t outcome);
  void compare_found(uint32_t thread, EventId from);
  void note_assumed(EventId event);
  void end_where_concrete(uint32_t thread, const machine::Operation& performed);
  bool blocked_for_good(const graph::ExecutionGraph& graph);
  uint32_t operations_in_loop(uint32_t thread);
  bool saw_newest(const graph::ExecutionGraph& graph, uint32_t thread);

  Driver& driver_;
  machine::Machine& machine_;
  Reporter& reporter_;
  const uint32_t threads_;
  std::vector<ThreadState> states_;                                   // by thread
  std::vector<LocationState> location_states_;                        // by LocationId
  std::vector<std::pair<uint32_t, ThreadState>> thread_changes_;      // what they were before, oldest first
  std::vector<std::pair<uint32_t, LocationState>> location_changes_;  // the same
  std::vector<std::vector<Store>> stores_;                            // by thread and index
  std::vector<Location> locations_;
  std::unordered_map<uint64_t, uint32_t> numbers_;  // address * 2 + object -> LocationId; never taken back
  std::unordered_map<uint32_t, uint32_t> later_;    // LocationId -> the one after it is written over; never taken back
  struct Saved {
    machine::Mark machine;
    size_t thread_changes, location_changes, schedule, arrivals, conditions, questions;
  };
  std::vector<Saved> marks_;
  detect::Schedule schedule_;
  std::vector<Arrival> arrivals_;
  std::vector<Condition> conditions_;  // that the events of the path assume of unknown inputs
  std::vector<Question> questions_;    // that they answer
  uint64_t times_concrete_ = 0;
  Joined& joined_;
  bool stop_ = false, too_many_ = false, begin_anew_ = false;
  bool early_end_ = false;                        // the process could end before others did what they can: a limit
  const graph::ExecutionGraph* graph_ = nullptr;  // that of the event which is performed
  bool at_end_ = false;                           // nothing more can be performed
};

// Adds the interleaving to what search_graphs found, with a mark at each read of an older value. `only`: the model, if
// no sequentially consistent execution shows the finding; else empty. Then the message names the first such read.
void describe_in_graph(const machine::ImagePtr& image, const Task& task, const std::string& only,
                       detect::Finding& finding);

// What sequentially consistent executions show: ids of findings; nothing if not all were looked at.
std::optional<std::set<std::string>> found_under_sc(const machine::ImagePtr& image, const Task& task);

// The same error with fewer context switches, while the search performs the event that shows it, or is at the end of
// the graph. `task`: of the search.
detect::Finding minimise_in_graph(const machine::ImagePtr& image, const Task& task, const GraphMachine& searched,
                                  const detect::Finding& finding);

void search_graphs(Driver& driver, Reporter& reporter, const Task& task);

}  // namespace heddle::explore
