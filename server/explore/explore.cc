#include "server/explore/explore.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "server/explore/alike_search.h"
#include "server/explore/bounded_search.h"
#include "server/explore/busiest.h"
#include "server/explore/graph_machine.h"
#include "server/explore/pair.h"
#include "server/explore/partial_order.h"
#include "server/explore/probes.h"
#include "server/explore/random_walk.h"
#include "server/explore/relevance.h"
#include "server/explore/report.h"
#include "server/explore/stand.h"
#include "server/explore/state_search.h"
#include "server/explore/state_summary.h"
#include "server/explore/value_order.h"

namespace heddle::explore {

using machine::Machine;
using machine::Operation;
using machine::ThreadId;

namespace {

constexpr uint32_t kStepsPerLook = 64;  // at the clock

// Full and affected: which operations are scheduling points.
struct OrderClient {
  Driver& driver;
  Reporter& reporter;
  const std::vector<bool>* objects;  // null: all
  bool detects_races;                // else states that differ in happens-before alone need not be distinguished
  ScheduleSource schedule;
  ValueOrder values;
  StateSummaries* noted;  // by executions: which cells are shared is known before the search by states
  Busiest& busiest;
  StateSummaries::Step step = {};
  std::vector<Machine::PlainAccess> accesses = {};

  // The search of everything makes room for the ladder then; 0: never.
  double until = 0;
  bool time_is_up = false;
  const Task* slice = nullptr;  // null: the search is not sliced
  uint32_t steps = 0;

  bool relevant(const Operation& operation) const { return Relevance{driver.machine(), objects}(operation); }
  bool stepped(ThreadId thread) {
    if (noted != nullptr) note(thread);
    busiest.stepped(driver.machine(), thread);
    if (until > 0 && ++steps % kStepsPerLook == 0 && reporter.seconds() > until) time_is_up = true;
    return !time_is_up && reporter.stepped(driver, thread, schedule);
  }
  void note(ThreadId thread) {
    if (thread.value >= 64) return;
    step.clear(thread.value);
    accesses.clear();
    driver.machine().recent_accesses(thread, accesses);
    for (const auto& access : accesses)
      noted->add_access(step, access.at.object(), access.at.offset(), access.size, access.write);
    if (!driver.machine().events().empty())
      noted->add_operation(step, footprint(driver.machine().events().back().operation));
  }
  void ended(PathEnd how) { reporter.ended(driver, how, schedule); }
  void beyond(Beyond what) { reporter.beyond(what, schedule); }
  bool cycle_closed() { return reporter.cycle_closed(driver, schedule); }
  bool save_due() { return reporter.save_due(); }
  bool slice_over() {
    if (slice == nullptr) return false;
    if (slice->slice_executions > 0 &&
        reporter.statistics().executions + reporter.statistics().redundant >= slice->slice_executions)
      return true;
    return slice->slice_seconds > 0 && reporter.seconds() > slice->slice_seconds;
  }
  std::function<void(const std::string& search)> save = {};
  void about_to(ThreadId thread) { values.about_to(thread); }
  bool used_unsynchronised_read(ThreadId thread) const {
    return detects_races && values.used_unsynchronised_read(thread);
  }
};

// Stateless or stateful: it is unknown beforehand whether a program has fewer executions (up to equivalence) or fewer
// states, and one may exceed the other by any factor. The searches take turns with growing limits until one is
// complete.
class Portfolio {
 public:
  Portfolio(Driver& driver, Reporter& reporter, Busiest& busiest, const Task& task)
      : driver_(driver),
        reporter_(reporter),
        task_(task),
        reductions_(task.reductions),
        start_(driver.mark()),
        probes_(driver, client_, start_, reporter.statistics()),
        client_{driver,  reporter, nullptr, task.machine.detect_races, {}, ValueOrder(driver.machine()),
                &noted_, busiest} {
    if (task.mode == Mode::Affected && !task.relevant.empty()) client_.objects = &task.relevant;
    state_.by_states = task.reductions.state_matching;
    client_.save = [this](const std::string& search) { save(search_stands_ = search); };
  }

  // What was known where the search stood. False: the bytes do not fit.
  static bool resume(Reporter& reporter, const Stand& stand) {
    Reader rest(stand.rest), codes(stand.exit_codes);
    rest.value<State>();
    return reporter.restore(rest) && reporter.exit_codes().restore(codes);
  }

  void run(const std::optional<Stand>& stands) {
    std::string search;
    if (stands) {
      search = stands->search;
      state_ = Reader(stands->rest).value<State>();
      reductions_.wakeup_trees = state_.wakeup_trees;
    }
    state_.wakeup_trees = reductions_.wakeup_trees;
    reporter_.statistics().switches = state_.switches;
    if (task_.ladder_share > 0 && task_.budget.seconds > 0)  // without a limit the search of everything continues
      client_.until = task_.budget.seconds * (1 - task_.ladder_share);
    if (task_.ladder_share < 1) take_turns(std::move(search));
    if (client_.time_is_up || task_.ladder_share >= 1) climb();
    if (task_.part && !reporter_.stopped() && !left_) leave(Stand::Kind::Ended, {});
  }

 private:
  static constexpr uint64_t kNoLimit = ~uint64_t{0}, kStatesOfALadder = 8'000'000;
  static constexpr uint64_t kStatesOfAlike = 500'000;
  static constexpr uint64_t kStatesOfLastTurn = 4'000'000, kStatesPerProbeState = 50;
  // A program of a few executions needs no probes.
  static constexpr uint64_t kExecutionsBeforeProbes = 4, kProbesAtFirst = 16;
  struct Turn {
    bool executions;
    uint64_t states_max;
  };
  struct State {
    uint64_t turn = 0;
    bool by_states = true, wakeup_trees = true, alike_tried = false;
    uint64_t switches = 0;  // Statistics::switches
  };

  void take_turns(std::string search) {
    for (; state_.turn < turns_.size(); ++state_.turn) {
      const Turn& turn = turns_[state_.turn];
      if (turn.states_max == 0 || (!turn.executions && !state_.by_states)) continue;
      std::string stand;
      stand.swap(search);
      const uint64_t states_of_turn = std::min(turn.states_max, kStatesOfLastTurn);
      if (state_.turn > 0 && stand.empty() && !probe(states_of_turn / kStatesPerProbeState)) return;
      if (!turn.executions && client_.objects == nullptr && alike_end()) return;
      if (turn.executions ? executions_end(turn.states_max, std::move(stand)) : states_end(turn.states_max)) return;
    }
  }

  // All interleavings with at most 0, 1, 2 ... preemptive switches, until the time is over.
  void climb() {
    client_.until = 0;
    client_.time_is_up = false;
    client_.slice = nullptr;
    bool with_clocks = !state_.by_states, every_cell = false;
    for (BoundedEnd end = BoundedEnd::Covered; state_.switches <= SwitchTable::kSwitchesMax;) {
      driver_.rewind(start_);
      BoundedSearch<Driver, OrderClient> search(driver_, client_, reporter_.statistics(), cells_, with_clocks,
                                                every_cell);
      client_.schedule = [&] { return search.schedule(); };
      end = search.run(static_cast<uint32_t>(state_.switches), kStatesOfALadder);
      with_clocks |= end == BoundedEnd::UnorderedValues;
      every_cell |= end == BoundedEnd::Cycle;
      if (end == BoundedEnd::Everything) return;
      if (end == BoundedEnd::Stopped) return;
      if (end == BoundedEnd::TooManyStates) break;
      if (end != BoundedEnd::Covered) continue;
      reporter_.statistics().switches = ++state_.switches;
      if (reporter_.saves()) save(search_stands_);
    }
    reporter_.stop(Completeness::TimeLimit);
  }

  // False: the search was stopped.
  bool probe(uint64_t states_max, uint64_t executions_max = ~uint64_t{0}) {
    if (!reductions_.probes) return true;
    client_.noted = nullptr;
    client_.schedule = [this] { return probes_.schedule(); };
    const bool on = probes_.run(states_max, executions_max);
    client_.noted = &noted_;
    return on;
  }

  bool executions_end(uint64_t states_max, std::string stand) {
    const uint64_t most = state_.by_states && state_.turn + 1 < turns_.size() ? states_max : kNoLimit;
    bool probes_due = state_.turn == 0 && stand.empty() && reductions_.probes;
    const bool is_part = task_.part && !stand.empty(), divisible = most == kNoLimit;
    SearchEnd end = SearchEnd::TooLong;
    while (end == SearchEnd::TooLong) {
      client_.slice = divisible ? &task_ : nullptr;
      driver_.rewind(start_);
      PartialOrderSearch<Driver, OrderClient> search(driver_, client_, reductions_, reporter_.statistics());
      client_.schedule = [&] { return search.schedule(); };
      if (!stand.empty()) {
        const std::optional<SearchEnd> resumed = search.resume(stand, most);
        stand.clear();
        if (!resumed && is_part) return reporter_.stop(Completeness::Cancelled), true;
        if (!resumed) continue;  // as if it had not been saved
        end = *resumed;
      } else if (std::exchange(probes_due, false)) {
        end = search.run(0, kExecutionsBeforeProbes);
        // The first execution of a program that polls or counts far may take all the time, in one thread.
        if (end == SearchEnd::TooLong && !probe(kNoLimit, kProbesAtFirst)) return true;
        if (end == SearchEnd::Unfinished && !(stand = search.position()).empty()) {
          if (!probe(kNoLimit, kProbesAtFirst)) return true;
          end = SearchEnd::TooLong;  // continue from there
          continue;
        }
        if (end == SearchEnd::Unfinished) end = search.continue_to(most);
      } else {
        end = search.run(most);
      }
      if (end == SearchEnd::TooLong) state_.wakeup_trees = reductions_.wakeup_trees = false;
      if (end == SearchEnd::TooLong && is_part) {  // all of it anew, by source sets
        leave(Stand::Kind::Begins, {});
        return reporter_.stop(Completeness::Cancelled), true;
      }
      if (is_part && end == SearchEnd::Complete) leave(Stand::Kind::Ended, search.position());
      if (end != SearchEnd::Sliced) continue;
      leave(Stand::Kind::Stands, search.position());
      reporter_.stop(Completeness::Cancelled);
    }
    client_.slice = nullptr;
    return end != SearchEnd::Unfinished;
  }

  bool states_end(uint64_t states_max) {
    search_stands_.clear();  // its states are not kept
    if (reporter_.saves()) save(search_stands_);
    driver_.rewind(start_);
    client_.noted = nullptr;
    StateSearch<Driver, OrderClient> search(driver_, client_, task_.reductions, reporter_.statistics(), states_max,
                                            cells_);
    client_.schedule = [&] { return search.schedule(); };
    const StateSearchEnd end = search.run();
    client_.noted = &noted_;
    state_.by_states = end != StateSearchEnd::UnorderedValues;
    return end == StateSearchEnd::Complete || end == StateSearchEnd::Stopped;
  }

  // Whether some path has as many threads that were created at one place as are worth it. Nothing is reported of it.
  bool has_alike_threads() {
    constexpr uint32_t kSteps = 2'000;
    driver_.rewind(start_);
    Machine& machine = driver_.machine();
    std::map<machine::CodeAddress, uint32_t> created;
    uint32_t known = 1, most = 0;
    for (uint32_t step = 0; step < kSteps && machine.outcome() == machine::Outcome::Running; ++step) {
      uint32_t thread = 0;
      while (thread < driver_.thread_count() && !driver_.enabled(ThreadId(thread))) ++thread;
      if (thread == driver_.thread_count()) break;
      driver_.perform(ThreadId(thread), 0);
      for (; known < driver_.thread_count(); ++known)
        if (machine.entry_function(ThreadId(known)).valid())
          most = std::max(most, ++created[machine.created_at(ThreadId(known))]);
    }
    driver_.rewind(start_);
    return most >= AlikeSearch<Driver, OrderClient>::kKindMin;
  }

  // Before the first search by states, since it is small where it applies.
  bool alike_end() {
    if (!reductions_.alike_threads || std::exchange(state_.alike_tried, true) || !has_alike_threads()) return false;
    search_stands_.clear();
    if (reporter_.saves()) save(search_stands_);  // it cannot be resumed: once killed, it is not tried again
    driver_.rewind(start_);
    client_.noted = nullptr;
    AlikeSearch<Driver, OrderClient> search(driver_, client_, reporter_.statistics(), kStatesOfAlike);
    client_.schedule = [&] { return search.schedule(); };
    const AlikeEnd end = search.run();
    client_.noted = &noted_;
    return end == AlikeEnd::Complete || end == AlikeEnd::Stopped;
  }

  void save(const std::string& search) const {
    reporter_.saved(stand(search.empty() ? Stand::Kind::Begins : Stand::Kind::Stands, search));
  }
  void leave(Stand::Kind kind, std::string search) {
    left_ = true;
    reporter_.left(stand(kind, std::move(search)));
  }
  std::string stand(Stand::Kind kind, std::string search) const {
    Writer rest, codes;
    rest.value(state_);
    reporter_.save(rest);
    reporter_.exit_codes().save(codes);
    return Stand{kind, std::move(search), codes.bytes(), rest.bytes()}.bytes();
  }

  Driver& driver_;
  Reporter& reporter_;
  const Task& task_;
  Reductions reductions_;
  const std::array<Turn, 5> turns_{{{true, reductions_.states_before_matching},
                                    {false, 200'000},
                                    {true, 1'000'000},
                                    {false, 4'000'000},
                                    {true, kNoLimit}}};
  const machine::Mark start_;
  SharedCells cells_;
  StateSummaries noted_{cells_};
  Probes<Driver, OrderClient> probes_;
  OrderClient client_;
  State state_;
  bool left_ = false;
  std::string search_stands_;  // where it stood when it was saved last
};

// Everything is relevant: of the orders in which threads take locks that are not, step 2 explores one, and an order can
// hide a race that a pair shows.
constexpr uint64_t kStatesOfDelayedSearch = 1'000'000;

// No more than a share of what the pairs will take. A pair matches no states: one of a program with 1,200 states may
// have 15,000 of its own.
uint64_t states_of_probe(size_t pairs) {
  constexpr uint64_t kStatesOfAPair = 400, kStatesMin = 1000, kStatesMax = 8000;
  return std::clamp<uint64_t>(pairs * kStatesOfAPair, kStatesMin, kStatesMax);
}

Task with_everything_relevant(Task step2) {
  step2.relevant.clear();
  step2.follow_races = false;
  return step2;
}

}  // namespace

Task bounded_probe(Task task, size_t pairs) {
  task = with_everything_relevant(std::move(task));
  task.budget.states_max = states_of_probe(pairs);
  task.stop_at_first = true;
  task.minimise = false;
  task.reductions.probes = false;
  return task;
}

Task concurrent_search(Task task, size_t pairs) {
  task = with_everything_relevant(std::move(task));
  task.budget.states_small = states_of_probe(pairs);
  return task;
}

bool reserves_worker(size_t pairs) { return pairs > 8; }

std::optional<DelayedSearch> delayed_search(Task task, size_t pairs) {
  constexpr uint64_t kStatesOfAPair = 4000;
  if (pairs <= 32) return std::nullopt;
  DelayedSearch delayed{with_everything_relevant(std::move(task)), 2};
  delayed.task.budget.states_max = std::min(pairs * kStatesOfAPair, kStatesOfDelayedSearch);
  return delayed;
}

namespace {

// What weaker models show is compared with what is there without them.
Listener in_graphs(const machine::ImagePtr& image, const Task& task, const Listener& listener) {
  constexpr const char* kNames[] = {"sc", "tso", "ra", "rc11"};
  Listener result = listener;
  const std::string name = kNames[static_cast<size_t>(task.rules.model)];
  std::optional<std::optional<std::set<std::string>>> sc;  // looked for with the first finding
  result.finding = [=](const detect::Finding& finding) mutable {
    detect::Finding reported = finding;
    const bool weak = task.rules.model != graph::MemoryModel::Sc;
    if (weak && !sc) sc = found_under_sc(image, task);
    describe_in_graph(image, task, weak && *sc && !(*sc)->contains(finding.id) ? name : "", reported);
    listener.finding(reported);
  };
  return result;
}

}  // namespace

Result explore(const machine::ImagePtr& image, const analysis::Facts* facts, const Task& asked, const Listener& heard) {
  Task task = asked;
  const Listener listener = task.mode == Mode::Graphs ? in_graphs(image, task, heard) : heard;
  Reporter reporter(image, task, listener);
  // Each round has the statements that were found to race in the ones before as scheduling points.
  // What one step may run at most follows from the time there is: nothing looks at the clock within a step.
  constexpr double kInstructionsPerSecond = 3e8, kInstructionsMin = 1e8;
  machine::Options options = task.machine;
  options.detect_spins = options.detect_spins && task.reductions.spin_detection;
  options.exact_spins = task.mode == Mode::Graphs;
  if (task.budget.seconds > 0) {
    const double most = std::max(kInstructionsMin, task.budget.seconds * kInstructionsPerSecond);
    options.instruction_limit = static_cast<uint64_t>(std::min(static_cast<double>(options.instruction_limit), most));
  }
  if (task.coverage) {
    options.record_plain_accesses = true;
    options.detect_races = false;
  }
  std::set<machine::CodeAddress> executed;
  Busiest busiest;
  std::optional<Stand> stand = Stand::read(task.resume);
  if (stand && !Portfolio::resume(reporter, *stand)) stand.reset();
  if (task.part && stand) reporter.begin_part();
  const bool unreadable = task.part && !task.resume.empty() && !stand;
  while (true) {
    Machine machine(image, options);
    reporter.begin(machine);
    Driver driver(machine);
    driver.past_faults = task.past_faults && task.mode != Mode::Pairwise;
    if (task.coverage) {
      driver.executed = &executed;
      driver.note_executed(0);
    }
    if (reporter.ended_at_once(driver)) return reporter.finish();
    switch (task.mode) {
      case Mode::Pairwise: search_pair(driver, reporter, facts, task); break;
      case Mode::Graphs: search_graphs(driver, reporter, task); break;
      case Mode::Random: random_walk(driver, reporter, task); break;
      case Mode::Affected:
      case Mode::Full:
        if (unreadable)
          reporter.stop(Completeness::Cancelled);
        else
          Portfolio(driver, reporter, busiest, task).run(std::exchange(stand, std::nullopt));
        break;
    }
    const bool more_races = !reporter.take_new_racy().empty();
    const bool again = more_races && task.follow_races && !reporter.stopped();
    if (more_races && !again) reporter.more_races();
    Result result = reporter.finish();
    result.executed.assign(executed.begin(), executed.end());
    if (reporter.stopped()) result.busiest = busiest.most();
    if (!again) return result;
  }
}

}  // namespace heddle::explore
