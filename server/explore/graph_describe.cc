// What a finding of execution graphs says: its interleaving, and which read no other model allows.
#include <algorithm>
#include <cctype>

#include "server/explore/graph_machine.h"

namespace heddle::explore {

namespace {

const char* order_name(machine::MemoryOrder order) {
  switch (order) {
    case machine::MemoryOrder::Acquire: return "acquire";
    case machine::MemoryOrder::Release: return "release";
    case machine::MemoryOrder::AcquireRelease: return "acq_rel";
    case machine::MemoryOrder::SequentiallyConsistent: return "seq_cst";
    default: return "relaxed";
  }
}

// Loops wait as they did in the search, so that the whole schedule can be followed.
machine::Options with_loops_of_graphs(machine::Options options) {
  options.exact_spins = true;
  return options;
}

// "`flag` at line 7 is read relaxed": the first that found an older value.
std::string older_read(const machine::ImagePtr& image, const Task& task, const detect::Schedule& schedule) {
  machine::Options options = with_loops_of_graphs(task.machine);
  options.record_plain_accesses = true;  // then each event has the user's statement, too
  machine::Machine machine(image, options);
  machine.make_visible(task.visible);
  Driver driver(machine);
  for (const detect::Choice& choice : schedule) {
    if (machine.outcome() != machine::Outcome::Running || !driver.enabled(choice.thread)) break;
    const size_t before = machine.events().size();
    driver.perform(choice);
    const auto& events = machine.events();
    const auto found = std::find_if(events.begin() + static_cast<std::ptrdiff_t>(std::min(before, events.size())),
                                    events.end(), [](const machine::Event& event) { return event.older; });
    if (!choice.found || found == events.end()) continue;
    const machine::Event& event = *found;
    const machine::CodeAddress at = event.user.function.valid() ? event.user : event.operation.at;
    const bool tried = event.operation.size == 0;  // a lock
    return "`" + machine.name_of(event.operation.object, std::max(1u, event.operation.size)) + "` at line " +
           std::to_string(machine.program().place(at).line) +
           (tried ? " is found held" : std::string(" is read ") + order_name(event.operation.order));
  }
  return "";
}

}  // namespace

void describe_in_graph(const machine::ImagePtr& image, const Task& task, const std::string& only,
                       detect::Finding& finding) {
  detect::record_trace(image, with_loops_of_graphs(task.machine), finding, task.visible);
  if (only.empty()) return;
  finding.only_under = only;
  std::string name = only;
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::string read = older_read(image, task, finding.schedule);
  finding.message = "only under " + name + ": " + finding.message + (read.empty() ? "" : " (" + read + ")");
  finding.without_interleaving = finding.without_interleaving && read.empty();
}

}  // namespace heddle::explore
