// Strategies: which thread runs next, and which interleavings are redundant.
//
// In:      an image, a Task (mode, pair, fragment, relevant objects, budgets) and a Listener.
// Out:     a Result: what was covered and counted, and whether it is complete. Findings go to the Listener as they are
//          found.
// Cost:    depends on the program. Budgets bound time, executions and states; a bound that was hit is in the Result.
// Owns:    its machines, until it returns.
// Threads: one; made to be run in a forked child. The Listener is called on the caller's thread.
// Fails:   never; limits are part of the Result.
// From:    Pairwise, Figure 2 and the end of 3.1 (Pairwise). Abdulla, Aronsson, Jonsson, Sagonas 2014, or every state
//          once (Full, Affected).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "server/detect/finding.h"
#include "server/edit/edit.h"
#include "server/graph/types.h"

namespace heddle::explore {

enum class Mode : uint8_t {
  Pairwise,  // step 1: one pair, one fragment
  Affected,  // step 2: all interleavings over the relevant objects
  Full,      // all interleavings up to equivalence
  Graphs,    // every execution graph of a memory model
  Random,    // not a proof: schedules drawn from a seed, for tests and first impressions
};

// Reductions, each of which can be switched off to test the others.
struct Reductions {
  bool dynamic_partial_order = true;  // off: every enabled thread at every choice
  bool sleep_sets = true;
  bool wakeup_trees = true;  // off, or without sleep sets: source sets
  bool state_matching = true;
  bool alike_threads = true;  // states that differ in the names of threads that do the same are one (alike_search.h)
  bool spin_detection = true;
  bool probes = true;  // Full, Affected: nothing less is explored, but errors may be found sooner (probes.h)
  uint64_t states_before_matching = 2'000;  // Full, Affected: a smaller search by executions needs no matching
};

struct Budget {
  double seconds = 0;           // 0: none
  uint64_t executions_max = 0;  // 0: none
  uint64_t states_max = 0;      // 0: none; counts what state matching and sleep sets cut off, too
  uint64_t states_small = 0;    // 0: none; Listener::progress is called at once when there are more
};

struct Task {
  Mode mode = Mode::Full;
  edit::Fragment fragment;                    // Pairwise
  edit::ThreadName modified, other;           // Pairwise
  std::vector<bool> relevant;                 // Affected, Pairwise: analysis::ObjectId -> relevant; empty: all
  std::vector<machine::CodeAddress> visible;  // racy statements known before the start
  machine::Options machine;
  graph::Rules rules;  // Graphs
  Reductions reductions;
  Budget budget;
  uint64_t seed = 1;  // Random
  std::string
      resume;  // Full, Affected: where a search of the same task stood (Listener::saved); empty: at its beginning
  // Full, Affected: the search without a limit of states stops there, between two paths; Result::left says what is
  // left. 0: never.
  double slice_seconds = 0;
  uint64_t slice_executions = 0;
  bool part = false;        // `resume` is a part of a search (search_parts.h); counts and limits are its own
  double save_seconds = 1;  // between two calls of Listener::saved, at least
  bool stop_at_first = false;
  bool minimise = true;      // findings are reported with the fewest context switches
  bool each_race = true;     // off: of races at the same places only the first has its interleaving
  bool past_faults = true;   // other threads continue after an error (never in Pairwise)
  bool follow_races = true;  // explore again with the statements of new races visible
  // Full, Affected: of the seconds, the share for all interleavings with at most 0, 1, 2 ... preemptive switches, where
  // the search of all does not end before (bounded_search.h); 0: none; 1: nothing else.
  double ladder_share = 0;
  bool coverage = false;  // Pairwise: note which statements are executed; no findings
};

// The bounded probe: step 2 with everything relevant, before the pairs of step 1. If it completes without a finding,
// the pairs have none either, since their interleavings are among its own (docs/PROOFS.md). It stops at the first
// finding and leaves it to the pairs, which name the threads.
Task bounded_probe(Task step2, size_t pairs);

// The concurrent full search, in place of the probe where there are several workers: the same without a limit of
// states. If it completes, nothing is left of the pairs and of step 2; it reports all its findings. The pairs start
// once it exceeds Budget::states_small (the probe's limit) or finds something. With many pairs it keeps a worker for
// itself (reserves_worker).
Task concurrent_search(Task step2, size_t pairs);
bool reserves_worker(size_t pairs);

// With a single worker, the concurrent full search waits until the most promising of many pairs are explored.
struct DelayedSearch {
  Task task;
  size_t after = 0;  // pairs
};
std::optional<DelayedSearch> delayed_search(Task step2, size_t pairs);  // none: the pairs are few

struct Statistics {
  uint64_t executions = 0;  // interleavings run to their end (finished, faulted or stuck)
  uint64_t redundant = 0;   // cut by a sleep set or a state match after work was done
  uint64_t states = 0;      // scheduling points visited
  uint64_t events = 0;      // visible operations performed
  uint64_t graphs = 0;      // Graphs: complete ones
  uint64_t blocked = 0;     // and those in which a thread waits in the end
  uint64_t instructions = 0;
  uint64_t queries = 0;       // questions about unknown inputs: those that Z3 was given,
  uint64_t tried = 0;         // those whose few values were tried,
  uint64_t remembered = 0;    // and those that had been answered before
  uint64_t probes = 0;        // executions tried in advance, in addition to `executions`
  uint64_t probe_states = 0;  // and their scheduling points
  uint64_t switches = 0;      // all interleavings with fewer preemptive switches were explored; 0: not known
  double seconds = 0;
  struct FirstFinding {
    double seconds = -1;                                    // none yet
    uint64_t executions = 0, states = 0, instructions = 0;  // until then, probes and redundant ones included
  } first_finding;
  Statistics& operator+=(const Statistics& other);
};

enum class Completeness : uint8_t { Complete, TimeLimit, ExecutionLimit, GuestLimit, Cancelled };

struct Limit {  // a limit of ours that ended some paths
  machine::FaultKind kind;
  std::string message;  // "calls 'dlopen', which ..."
  detect::SourcePlace place;
  uint64_t count = 0;
};

struct BusiestPlace {
  detect::SourcePlace place;
  uint64_t steps = 0, of = 0;        // about this share of all
  std::vector<std::string> threads;  // that took them, by their names
};

struct Result {
  Completeness completeness = Completeness::Complete;
  Statistics statistics;
  std::vector<Limit> limits;
  bool fragment_reached = false;           // Pairwise
  bool pauses_bounded = false;             // see Machine::pauses_bounded
  bool sleeps_for_ever = false;            // see Machine::sleeps_for_ever
  bool handles_signals = false;            // see Machine::handles_signals
  bool timers_repeat = false;              // see Machine::timers_repeat
  bool signals_wait = false;               // see Machine::signals_wait
  bool cycles_undecided = false;           // see non_progress_cycles: it was taken for a way out
  bool looks_unordered = false;            // see Machine::looks_unordered
  bool runs_long = false;                  // see Machine::runs_long
  uint32_t threads_met = 0;                // see Machine::threads_met; 0: not known
  bool runs_project_functions = false;     // see Machine::runs_project_functions
  bool finishes = false;                   // some path came to the end of the process without a fault
  std::vector<machine::CodeAddress> racy;  // statements made visible
  BusiestPlace busiest;                    // Full, Affected: of a search that did not end
  std::string left;                        // of a search that was sliced, or a part: for SearchParts
  bool more_races = false;                 // statements race that were no scheduling points
  // Task::coverage: interaction statements that some thread executed, sorted; of library code, the project's calls.
  std::vector<machine::CodeAddress> executed;
};

struct Listener {
  std::function<void(const detect::Finding&)> finding = [](const detect::Finding&) {};
  // What an earlier search of the same image reported under this identity is reported unchanged; null: nothing.
  std::function<const detect::Finding*(const std::string& id)> known = [](const std::string&) { return nullptr; };
  // The machine at the end of each execution: for the set of all outcomes.
  std::function<void(const machine::Machine&)> path_end = [](const machine::Machine&) {};
  std::function<bool(const Statistics&)> progress = [](const Statistics&) {
    return true;
  };  // false: stop; called a few times a second
  // Where the search stands, every few seconds, for Task::resume; none: not wanted. What was found before has been
  // reported. A stateful search starts its turn again.
  std::function<void(const std::string& bytes, const Statistics&)> saved;
  // Called before the search with what says the place of the operation that was performed last, and after it with
  // nothing. It may be asked in the middle of a step that finds no more memory, for one last word.
  std::function<void(std::function<detect::SourcePlace()> place)> stands = [](const auto&) {};
};

Result explore(const machine::ImagePtr& image, const analysis::Facts* facts, const Task& task,
               const Listener& listener);

// Follows a schedule as far as possible (an open finding on a new version). Reports the findings on the way, and those
// from where it ends without further context switches. Mode::Graphs: the schedule is a path of an execution graph.
Result replay(const machine::ImagePtr& image, const detect::Schedule& schedule, const Task& task,
              const Listener& listener);

// The same error with the fewest context switches that the search finds within its budget; keeps rule and identity.
detect::Finding minimise(const machine::ImagePtr& image, const detect::Finding& finding, const Task& task);

}  // namespace heddle::explore
