// Execution graphs of a program: the machine as the System of graph_search.h. Internal to the folder.
//
// In:      a Driver whose machine is in its first state; a Task with the rules of a memory model.
// Out:     findings, limits and the numbers of graphs to the Reporter.
// Cost:    an event takes a mark of the machine and a copy of what is known of threads and locations.
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

// Condition variables and mutexes that share a location, known by the waits that were met.
class Joined {
 public:
  uint64_t root(uint64_t address) const;
  bool join(uint64_t one, uint64_t other);  // false: they were joined
  bool shares(uint64_t root) const { return several_.contains(root); }

 private:
  std::unordered_map<uint64_t, uint64_t> up_;
  std::set<uint64_t> several_;
};

class GraphMachine {
  using EventId = graph::EventId;

 public:
  GraphMachine(Driver& driver, Reporter& reporter, uint32_t threads, Joined& joined);

  // --- the System ---
  uint32_t thread_count() const { return threads_; }
  Turn turn(uint32_t thread);
  graph::Label pending(uint32_t thread);
  graph::Label pending_reading(uint32_t thread, EventId from);
  uint32_t outcomes(uint32_t thread);
  bool may_wait(const graph::ExecutionGraph& graph, uint32_t thread);
  void perform(uint32_t thread, EventId from, uint32_t outcome);
  size_t mark();
  void rewind(size_t mark);
  // --- the Client ---
  bool ended(const graph::ExecutionGraph& graph, GraphEnd end);
  void race(const graph::ExecutionGraph&, EventId) {}  // the machine finds races by its own clocks

  bool too_many_threads() const { return too_many_; }
  bool joined_more() const { return joined_more_; }  // the search has to begin anew

 private:
  // How an operation shows in a graph.
  enum class Form : uint8_t { Load, Store, Update, Fence, Object, Choice, Join, Other, Unknown };
  enum class Half : uint8_t { None, Reading, Blocked };  // of an update: it has read; it has to wait for another value
  struct ThreadState {
    bool begun = false;
    Half half = Half::None;
    bool ended = false;  // an operation that has no events here
    EventId from;        // Half::Reading
    EventId creation;
    uint32_t length = 0;  // events
  };
  struct LocationState {
    bool known = false;  // its initial value
    uint64_t initial = 0;
    uint64_t shown = 0;  // what the machine's memory holds unless it was written otherwise
    EventId newest;      // of an object: the last operation
  };
  struct State {
    std::vector<ThreadState> threads;
    std::vector<LocationState> locations;
    size_t schedule = 0;
  };
  struct Location {
    machine::Pointer at;
    uint32_t size = 0;  // 0: a synchronisation object
  };
  struct Store {
    uint64_t value = 0;  // of an object: the ThreadId that holds the lock, plus 1; 0: none
    machine::Machine::StoreView view;
  };

  Form form(const machine::Operation& operation);
  bool not_followed(uint32_t thread, const machine::Operation& operation);
  bool joins_more(const machine::Operation& operation);
  bool refuses(uint32_t thread, const machine::Operation& operation, graph::LocationId location, EventId from);
  void perform_object(uint32_t thread, const machine::Operation& operation, EventId from, uint32_t outcome,
                      Store& made);
  void perform_access(uint32_t thread, const machine::Operation& operation, EventId from, Store& made);
  bool others_ready(uint32_t thread);
  bool ready(uint32_t thread, const machine::Operation& operation);
  graph::LocationId location_of(const machine::Operation& operation, bool object);
  graph::LocationId choices_of(uint32_t thread);
  LocationState& prepared(graph::LocationId id);
  Store store(graph::LocationId location, EventId id);
  std::optional<uint64_t> show(graph::LocationId location, EventId from);
  void step(uint32_t thread, std::optional<uint64_t> found, uint32_t outcome = 0);
  bool blocked_for_good(const graph::ExecutionGraph& graph);
  bool saw_newest(const graph::ExecutionGraph& graph, uint32_t thread);

  Driver& driver_;
  machine::Machine& machine_;
  Reporter& reporter_;
  const uint32_t threads_;
  State state_;
  std::vector<std::vector<Store>> stores_;  // by thread and index
  std::vector<Location> locations_;
  std::unordered_map<uint64_t, uint32_t> numbers_;  // address * 2 + object -> LocationId; never taken back
  struct Saved {
    machine::Mark machine;
    State state;
  };
  std::vector<Saved> marks_;
  detect::Schedule schedule_;
  Joined& joined_;
  bool stop_ = false, too_many_ = false, joined_more_ = false;
};

// Adds the interleaving to what search_graphs found, with a mark at each read of an older value. `only`: the model, if
// no sequentially consistent execution shows the finding; else empty. Then the message names the first such read.
void describe_in_graph(const machine::ImagePtr& image, const Task& task, const std::string& only,
                       detect::Finding& finding);

// What sequentially consistent executions show: ids of findings; nothing if not all were looked at.
std::optional<std::set<std::string>> found_under_sc(const machine::ImagePtr& image, const Task& task);

void search_graphs(Driver& driver, Reporter& reporter, const Task& task);

}  // namespace heddle::explore
