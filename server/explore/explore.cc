#include "server/explore/explore.h"

#include <algorithm>

#include "server/explore/pair.h"
#include "server/explore/partial_order.h"
#include "server/explore/random_walk.h"
#include "server/explore/relevance.h"
#include "server/explore/report.h"
#include "server/explore/state_search.h"
#include "server/explore/value_order.h"

namespace heddle::explore {

using machine::Machine;
using machine::Operation;
using machine::ThreadId;

namespace {

// Full and affected: which operations are scheduling points.
struct OrderClient {
  Driver& driver;
  Reporter& reporter;
  const std::vector<bool>* objects;  // null: all
  ScheduleSource schedule;
  ValueOrder values;

  bool relevant(const Operation& operation) const { return Relevance{driver.machine(), objects}(operation); }
  bool stepped(ThreadId thread) { return reporter.stepped(driver, thread, schedule); }
  void ended(PathEnd how) { reporter.ended(driver, how, schedule); }
  void beyond(Beyond what) { reporter.beyond(what); }
  bool goes_round() { return reporter.goes_round(driver, schedule); }
  void about_to(ThreadId thread) { values.about_to(thread); }
  bool traceless(ThreadId thread) const { return values.acted_on_unordered(thread); }
};

// By executions up to equivalence, or by states: which of them are fewer nobody knows beforehand, and the larger number
// may be larger by any factor. They take turns, each with more states than the one before, until one has seen all.
void search_in_order(Driver& driver, Reporter& reporter, const Task& task) {
  OrderClient client{driver, reporter, nullptr, {}, ValueOrder(driver.machine())};
  if (task.mode == Mode::Affected && !task.relevant.empty()) client.objects = &task.relevant;
  const machine::Mark start = driver.mark();
  constexpr uint64_t kNoLimit = ~uint64_t{0};
  bool by_states = task.reductions.state_matching;
  Reductions reductions = task.reductions;
  const auto executions_end = [&](uint64_t states_most) {
    SearchEnd end = SearchEnd::TooLong;
    while (end == SearchEnd::TooLong) {
      driver.rewind(start);
      PartialOrderSearch<Driver, OrderClient> search(driver, client, reductions, reporter.statistics());
      client.schedule = [&] { return search.schedule(); };
      end = search.run(by_states ? states_most : kNoLimit);
      if (end == SearchEnd::TooLong) reductions.wakeup_trees = false;
    }
    return end != SearchEnd::Unfinished;
  };
  const auto states_end = [&](uint64_t states_most) {
    if (!by_states) return false;
    driver.rewind(start);
    StateSearch<Driver, OrderClient> search(driver, client, task.reductions, reporter.statistics(), states_most);
    client.schedule = [&] { return search.schedule(); };
    const StateSearchEnd end = search.run();
    by_states = end != StateSearchEnd::UnorderedValues;
    return end == StateSearchEnd::Complete || end == StateSearchEnd::Stopped;
  };
  const uint64_t first = task.reductions.states_before_matching;
  if (first > 0 && executions_end(first)) return;
  if (states_end(200'000) || executions_end(1'000'000) || states_end(4'000'000)) return;
  by_states = false;
  executions_end(kNoLimit);
}

}  // namespace

Result explore(const machine::ImagePtr& image, const analysis::Facts* facts, const Task& task,
               const Listener& listener) {
  Reporter reporter(image, task, listener);
  // Each round has the statements that were found to race in the ones before as scheduling points.
  // What one step may run at most follows from the time there is: nothing looks at the clock within a step.
  constexpr double kInstructionsPerSecond = 3e8, kInstructionsLeast = 1e8;
  machine::Options options = task.machine;
  options.detect_spins = options.detect_spins && task.reductions.spin_detection;
  if (task.budget.seconds > 0) {
    const double most = std::max(kInstructionsLeast, task.budget.seconds * kInstructionsPerSecond);
    options.instruction_limit = static_cast<uint64_t>(std::min(static_cast<double>(options.instruction_limit), most));
  }
  while (true) {
    Machine machine(image, options);
    reporter.begin(machine);
    Driver driver(machine);
    driver.past_faults = task.past_faults && task.mode != Mode::Pairwise;
    if (reporter.ended_at_once(driver)) return reporter.finish();
    switch (task.mode) {
      case Mode::Pairwise: search_pair(driver, reporter, facts, task); break;
      case Mode::Random: random_walk(driver, reporter, task); break;
      case Mode::Affected:
      case Mode::Full: search_in_order(driver, reporter, task); break;
    }
    const bool again = !reporter.take_new_racy().empty() && task.follow_races && !reporter.stopped();
    const Result& result = reporter.finish();
    if (!again) return result;
  }
}

}  // namespace heddle::explore
