#include "server/explore/explore.h"

#include <algorithm>

#include "server/explore/pair.h"
#include "server/explore/partial_order.h"
#include "server/explore/random_walk.h"
#include "server/explore/relevance.h"
#include "server/explore/report.h"

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

  bool relevant(const Operation& operation) const { return Relevance{driver.machine(), objects}(operation); }
  bool stepped(ThreadId thread) { return reporter.stepped(driver, thread, schedule); }
  void ended(PathEnd how) { reporter.ended(driver, how, schedule); }
  void beyond(Beyond what) { reporter.beyond(what); }
};

void search_in_order(Driver& driver, Reporter& reporter, const Task& task) {
  OrderClient client{driver, reporter, nullptr, {}};
  if (task.mode == Mode::Affected && !task.relevant.empty()) client.objects = &task.relevant;
  PartialOrderSearch<Driver, OrderClient> search(driver, client, task.reductions, reporter.statistics());
  client.schedule = [&] { return search.schedule(); };
  search.run();
}

}  // namespace

Result explore(const machine::ImagePtr& image, const analysis::Facts* facts, const Task& task,
               const Listener& listener) {
  Reporter reporter(image, task, listener);
  // Each round has the statements that were found to race in the ones before as scheduling points.
  // What one step may run at most follows from the time there is: nothing looks at the clock within a step.
  constexpr double kInstructionsPerSecond = 3e8, kInstructionsLeast = 1e8;
  machine::Options options = task.machine;
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
