#include "server/explore/explore.h"

#include <algorithm>

#include "server/explore/pair.h"
#include "server/explore/partial_order.h"
#include "server/explore/random_walk.h"
#include "server/explore/report.h"

namespace heddle::explore {

using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;

namespace {

// Full and affected: which operations are scheduling points.
struct OrderClient {
  Driver& driver;
  Reporter& reporter;
  const std::vector<bool>* objects;  // null: all
  ScheduleSource schedule;

  bool relevant_object(machine::Pointer object) const {
    const analysis::ObjectId known = driver.machine().static_object(object);
    return !known.valid() || known.value >= objects->size() || (*objects)[known.value];
  }
  bool relevant(const Operation& operation) const {
    if (objects == nullptr || operation.cancellable || operation.kind == OperationKind::Cancel) return true;
    switch (operation.kind) {
      // These wait for one thread or for nobody: early is as good as late.
      case OperationKind::Create:
      case OperationKind::Join:
      case OperationKind::Detach:
      case OperationKind::Sleep:
      case OperationKind::Yield:
      case OperationKind::Fence:
      case OperationKind::DataChoice: return false;
      case OperationKind::ThreadExit:
      case OperationKind::ProcessExit: return true;
      case OperationKind::Wait:
      case OperationKind::Wake: return relevant_object(operation.object) || relevant_object(operation.second);
      default: break;
    }
    // A wide operation may touch several fields, each an object of its own.
    for (uint32_t offset = 0; offset == 0 || offset < operation.size; offset += 4)
      if (relevant_object(machine::Pointer{operation.object.bits + offset})) return true;
    return false;
  }
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
