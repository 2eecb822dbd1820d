// Every execution graph that a memory model allows, once: reads choose stores, writes choose places, and writes revisit
// earlier reads.
//
// In:      a System in its first state; a Client; the rules.
// Out:     each final graph once: complete, or blocked if a thread waits for a value that never comes.
// Cost:    memory polynomial in the length of a path: no set of graphs is kept. A step costs its candidates; a revisit
//          performs the events again that it keeps. Those that it removed come back to the graph at once, and are
//          performed again only if something follows them.
// Owns:    the graph and its stack of choices.
// Threads: the thread that uses the System.
// Fails:   run() returns early when the Client says so.
// From:    Kokologiannakis, Marmanis, Gladstein, Vafeiadis 2022, Algorithm 1 (TruSt). Differs: events are performed
//          again in an order in which causes come first, with the stamps they had; so one machine with one memory
//          suffices, since in all models here the union of program order and reads-from has no cycle.
//          Kokologiannakis, Khoshechin Jorshari, Nagendra, Majumdar 2025 (ConDpor) for unknown data. Differs: a
//          read-modify-write that unknown data decides has the outcomes itself, without an event of evaluation.
//
// What an event assumes of unknown data is known to the System alone, which learns it again whenever it performs the
// event: after a revisit just what the events that stay assume is left.
//
// System:  uint32_t thread_count()
//          Turn turn(uint32_t thread): whether the thread can act, waits for another value, or has ended
//          graph::Label pending(uint32_t thread): what it does next; for a read, what does not depend on the value
//          graph::Label pending_reading(uint32_t thread, EventId from, uint32_t outcome): with what depends on it
//          uint32_t outcome_of_write(uint32_t thread, uint32_t least): the first possible one of its pending write
//          after
//            what is there that is not below; kNoOutcome: there is none
//          uint32_t outcome_of_read(uint32_t thread, EventId from, uint32_t least): the same of its pending read
//          bool is_first_outcome(const graph::Event&, const graph::Previous&): as graph::FirstOutcome
//          bool may_wait(const graph::ExecutionGraph&, uint32_t thread): a waiting thread may have seen what it saw
//            last for ever; false: it would look again
//          void perform(const graph::ExecutionGraph&, uint32_t thread, EventId from, uint32_t outcome): the thread's next
//            event, which the graph has already; `from` for reads. An event that a revisit keeps is performed with the
//            outcome that it had, which is possible: what is assumed now was assumed then
//          size_t mark(), void rewind(size_t mark)
// Client:  bool ended(const graph::ExecutionGraph&, GraphEnd): false stops the search
//          void race(const graph::ExecutionGraph&, EventId earlier): with the event added last
//          bool stopped(): the search is to end, whatever it does; asked after events are performed
#pragma once

#include <algorithm>
#include <vector>

#include "server/graph/consistency.h"
#include "server/graph/maximal.h"

namespace heddle::explore {

enum class Turn : uint8_t { Ready, Waiting, Ended };
enum class GraphEnd : uint8_t { Complete, Blocked };
constexpr uint32_t kNoOutcome = ~0u;

struct GraphStatistics {
  uint64_t graphs = 0;   // complete ones
  uint64_t blocked = 0;  // a thread waits for a value that does not come
  uint64_t again = 0;    // a thread waits for what has come since, as for a lock that is free again: no graph
  uint64_t revisits = 0;
  uint64_t in_vain = 0;  // paths that led to no graph
  uint64_t performed = 0;
};

template <typename System, typename Client>
class GraphSearch {
  using EventId = graph::EventId;
  using Event = graph::Event;
  using Label = graph::Label;

 public:
  GraphSearch(System& system, Client& client, graph::Rules rules, GraphStatistics& statistics)
      : system_(system),
        client_(client),
        statistics_(statistics),
        graph_(system.thread_count()),
        consistency_(graph_, rules),
        first_outcome_([&system](const Event& event, const graph::Previous& previous) {
          return system.is_first_outcome(event, previous);
        }) {}

  // False: the Client stopped it.
  bool run() {
    while (true) {
      const Grown grown = grow();
      if (client_.stopped()) return false;
      if (grown == Grown::More) continue;
      if (grown == Grown::End && !report_end()) return false;
      if (!back()) return !client_.stopped();
    }
  }

 private:
  enum class Grown : uint8_t { More, End, DeadEnd };
  enum class StepKind : uint8_t { Read, Write, Revisit };

  struct Step {
    StepKind kind;
    uint32_t thread;
    size_t position;  // size of the graph before it
    Label label;
    std::vector<EventId> from;  // Read: what it may read; Write: the reads that it may revisit
    uint32_t place = 0;         // Write, Revisit: the next place to try; counts down to place_min
    uint32_t place_min = 1;
    size_t next = 0;            // in `from`
    uint32_t outcome = 0;       // Write, Revisit: the next one to try at this place
    uint32_t read_outcome = 0;  // Read, Revisit: the next one to try of what is read
    // Revisit:
    Event read;
    std::vector<Event> removed;  // what stood after `common`
    size_t common = 0;
  };

  Grown grow() {
    uint32_t thread;
    if (!catch_up(graph_.size()) || !next_thread(thread)) return Grown::End;
    const Label label = system_.pending(thread);
    if (label.kind == graph::Kind::Fence || label.kind == graph::Kind::Sync) {
      graph_.add_other(thread, label, graph_.next_stamp());
      perform(thread, graph::kInitial);
      return Grown::More;
    }
    Step step{label.kind == graph::Kind::Read ? StepKind::Read : StepKind::Write,
              thread,
              graph_.size(),
              label,
              {},
              0,
              1,
              0,
              0,
              0,
              {},
              {},
              0};
    if (step.kind == StepKind::Read) {
      const auto writes = graph_.coherence(label.location);
      const uint32_t known = consistency_.place_known(thread, label.location);
      for (uint32_t place = static_cast<uint32_t>(writes.size()) + 1; place-- > known;)
        step.from.push_back(graph_.write_at(label.location, place));
    } else {
      set_places(step, label);
      collect_revisits(step, label);
    }
    steps_.push_back(std::move(step));
    if (advance()) return Grown::More;
    // An update of a store that another one updated can only revisit that one.
    if (label.part != graph::Part::Update && !client_.stopped()) ++statistics_.in_vain;
    steps_.pop_back();
    return Grown::DeadEnd;
  }

  // An update stores at once; else the first thread that can act.
  bool next_thread(uint32_t& thread) {
    if (graph_.size() > 0 && graph_.last().label.part == graph::Part::Update &&
        graph_.last().label.kind == graph::Kind::Read) {
      thread = graph_.last().id.thread();
      return true;
    }
    for (thread = 0; thread < graph_.thread_count(); ++thread)
      if (system_.turn(thread) == Turn::Ready) return true;
    return false;
  }

  bool report_end() {
    bool waiting = false, again = false;
    for (uint32_t n = 0; n < graph_.thread_count(); ++n) {
      if (system_.turn(n) != Turn::Waiting) continue;
      waiting = true;
      again = again || !system_.may_wait(graph_, n);
    }
    statistics_.again += again;
    if (again) return true;
    ++(waiting ? statistics_.blocked : statistics_.graphs);
    return client_.ended(graph_, waiting ? GraphEnd::Blocked : GraphEnd::Complete);
  }

  // Goes back to the last step that has another choice, and takes it. False if there is none.
  bool back() {
    while (!steps_.empty()) {
      if (advance()) return true;
      steps_.pop_back();
    }
    return false;
  }

  // The next choice of the last step that the model allows; none if the search is stopped. A revisit puts a step of its
  // own on top, which goes when it has no more choices.
  bool advance() {
    while (!client_.stopped()) {
      Step& step = steps_.back();
      take_back(step.position);
      if (step.kind == StepKind::Read) {
        if (step.next == step.from.size()) return false;
        if (!catch_up(graph_.size())) return false;
        const EventId from = step.from[step.next];
        const uint32_t outcome = take_read_outcome(step, step.thread, from);
        if (step.read_outcome == 0) ++step.next;
        if (outcome != kNoOutcome && try_read(step.thread, from, graph_.next_stamp(), outcome)) return true;
      } else if (step.place >= step.place_min) {
        if (try_place(step)) return true;
      } else if (step.kind == StepKind::Write && step.next < step.from.size()) {
        revisit(step.thread, step.from[step.next++]);
      } else if (step.kind == StepKind::Revisit) {
        restore(step);
        steps_.pop_back();
      } else {
        return false;
      }
    }
    return false;
  }

  // The reads that are no causes of the write, if all that a revisit removes is maximal.
  void collect_revisits(Step& step, const Label& label) {
    const uint32_t* causes = graph_.causal_before(step.thread);
    for (const graph::ThreadAccesses& other : graph_.accesses(label.location))
      for (const EventId read : graph::unknown_part(other.reads, causes[other.thread]))
        if (graph::may_revisit(graph_, read, step.thread, first_outcome_)) step.from.push_back(read);
  }

  void set_places(Step& step, const Label& label) {
    if (label.part == graph::Part::Update) {
      step.place = step.place_min = graph_.place_of(graph_.last_of(step.thread).from) + 1;
    } else {
      step.place = static_cast<uint32_t>(graph_.coherence(label.location).size()) + 1;
      step.place_min = consistency_.place_known(step.thread, label.location) + 1;
    }
  }

  // The outcome to try now; step.read_outcome becomes the next one, 0 if there is none.
  uint32_t take_read_outcome(Step& step, uint32_t reader, EventId from) {
    const uint32_t outcome = system_.outcome_of_read(reader, from, step.read_outcome);
    const uint32_t next = outcome == kNoOutcome ? kNoOutcome : system_.outcome_of_read(reader, from, outcome + 1);
    step.read_outcome = next == kNoOutcome ? 0 : next;
    return outcome;
  }

  bool try_read(uint32_t thread, EventId from, uint32_t stamp, uint32_t outcome) {
    const Label label = system_.pending_reading(thread, from, outcome);
    graph_.add_read(thread, label, from, stamp, outcome);
    if (!consistency_.allows_last()) return false;
    perform(thread, from, outcome);
    return true;
  }

  // The graph decides first, as it needs nothing performed.
  bool try_place(Step& step) {
    const uint32_t place = step.place;
    const bool allowed = add_at(step, place);
    if (allowed && !catch_up(graph_.size() - 1)) return false;
    const uint32_t outcome = allowed ? system_.outcome_of_write(step.thread, step.outcome) : kNoOutcome;
    const uint32_t next = outcome == kNoOutcome ? kNoOutcome : system_.outcome_of_write(step.thread, outcome + 1);
    step.outcome = next == kNoOutcome ? 0 : next;
    if (next == kNoOutcome) --step.place;
    if (outcome == kNoOutcome) return false;
    graph_.set_outcome(outcome);
    perform(step.thread, graph::kInitial, outcome);
    if (step.kind != StepKind::Revisit) return true;
    if (client_.stopped()) return false;
    const uint32_t reader = step.read.id.thread();
    const EventId from = graph_.last().id;
    const uint32_t read_outcome = take_read_outcome(step, reader, from);
    if (step.read_outcome != 0) {  // once more, with another outcome of the read
      step.place = place;
      step.outcome = outcome;
    }
    return read_outcome != kNoOutcome && try_read(reader, from, step.read.stamp, read_outcome);
  }

  bool add_at(const Step& step, uint32_t place) {
    if (consistency_.separates_update(step.label.location, place)) return false;
    graph_.add_write(step.thread, step.label, place, graph_.next_stamp());
    if (!consistency_.allows_last()) return false;
    if (step.kind != StepKind::Revisit) return true;
    return place >= consistency_.place_known(step.read.id.thread(), step.label.location);
  }

  // Leaves what the read was before, and the causes of the write; the new step stores, and the read reads that.
  void revisit(uint32_t thread, EventId read) {
    ++statistics_.revisits;
    Step step{StepKind::Revisit, thread, 0, steps_.back().label, {}, 0, 1, 0, 0, 0, graph_.at(read), {}, 0};
    const std::vector<size_t> kept = graph::kept_by_revisit(graph_, read, thread);
    while (step.common < kept.size() && kept[step.common] == step.common) ++step.common;
    std::vector<Event> again;
    for (size_t n = step.common; n < graph_.size(); ++n) step.removed.push_back(graph_.added(n));
    for (size_t n = step.common; n < kept.size(); ++n) again.push_back(graph_.added(kept[n]));
    take_back(step.common);
    for (const Event& event : again) add_again(event, place_among(event, step.removed));
    step.position = graph_.size();
    set_places(step, step.label);
    steps_.push_back(std::move(step));
  }

  void restore(const Step& step) {
    take_back(step.common);
    for (const Event& event : step.removed) add_again(event, event.place_added);
  }

  // To the graph only.
  void add_again(const Event& event, uint32_t place) {
    const uint32_t thread = event.id.thread();
    switch (event.label.kind) {
      case graph::Kind::Read: graph_.add_read(thread, event.label, event.from, event.stamp, event.outcome); break;
      case graph::Kind::Write: graph_.add_write(thread, event.label, place, event.stamp, event.outcome); break;
      default: graph_.add_other(thread, event.label, event.stamp);
    }
  }

  // Performs the first `size` events of the graph, as far as they are not yet. False: the search is stopped.
  bool catch_up(size_t size) {
    while (marks_.size() < size) {
      const Event& event = graph_.added(marks_.size());
      marks_.push_back(system_.mark());
      ++statistics_.performed;
      system_.perform(graph_, event.id.thread(), event.from, event.outcome);
    }
    return !client_.stopped();
  }

  // The place of a write among those that are there: its old one, less those before it that are gone.
  uint32_t place_among(const Event& write, const std::vector<Event>& removed) const {
    uint32_t place = write.place;
    for (const Event& other : removed) {
      place -= other.label.kind == graph::Kind::Write && other.label.location == write.label.location &&
               other.place < write.place && !graph_.contains(other.id);
    }
    return place;
  }

  // The last event of the graph. Only what the model allows is performed: the System may report what it sees.
  void perform(uint32_t thread, EventId from, uint32_t outcome = 0) {
    marks_.push_back(system_.mark());
    ++statistics_.performed;
    system_.perform(graph_, thread, from, outcome);
    report_races();
  }

  // Takes events back until `size` are left.
  void take_back(size_t size) {
    if (marks_.size() > size) {
      system_.rewind(marks_[size]);
      marks_.resize(size);
    }
    while (graph_.size() > size) graph_.pop();
  }

  void report_races() {
    for (const EventId earlier : graph::races_of_last(graph_)) client_.race(graph_, earlier);
  }

  System& system_;
  Client& client_;
  GraphStatistics& statistics_;
  graph::ExecutionGraph graph_;
  graph::Consistency consistency_;
  const graph::FirstOutcome first_outcome_;
  std::vector<Step> steps_;
  std::vector<size_t> marks_;  // of the System, before each event that it has performed: the first of the graph
};

}  // namespace heddle::explore
